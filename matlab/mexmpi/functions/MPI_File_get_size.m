function varargout = MPI_File_get_size(varargin)
    % MPI_File_get_size  -  Size of a file in bytes.
    %
    %   bytes = MPI_File_get_size(file)
    %
    %   file: a file
    %   bytes (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_at_all(file, 8 * rank, rank);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(MPI_File_get_size(file) == 8 * n)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_size', varargin{:});
end
