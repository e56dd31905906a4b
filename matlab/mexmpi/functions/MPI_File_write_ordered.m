function varargout = MPI_File_write_ordered(varargin)
    % MPI_File_write_ordered  -  Write at the shared pointer, one rank after the other.
    %
    %   status = MPI_File_write_ordered(file, x)
    %
    %   file: a file
    %   x: a full numeric, logical or char array
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_ordered(file, rank);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(isequal(MPI_File_read_at(file, 0, n), (0:n - 1)'))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_write_ordered', varargin{:});
end
