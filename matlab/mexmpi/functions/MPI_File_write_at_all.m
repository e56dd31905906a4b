function varargout = MPI_File_write_at_all(varargin)
    % MPI_File_write_at_all  -  The same, all ranks together.
    %
    %   status = MPI_File_write_at_all(file, offset, x)
    %
    %   file: a file
    %   offset: a whole number: bytes, or units of the view
    %   x: a full numeric, logical or char array
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_at_all(file, 8 * rank, rank);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(MPI_File_read_at(file, 8 * next, 1) == next)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_write_at_all', varargin{:});
end
