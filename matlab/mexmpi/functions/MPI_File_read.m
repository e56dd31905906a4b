function varargout = MPI_File_read(varargin)
    % MPI_File_read  -  Read so many elements at the own pointer.
    %
    %   [x, status] = MPI_File_read(file, count [, class])
    %
    %   file: a file
    %   count: a whole number, above 2^31 too
    %   class: a text (default: double)
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_at(file, 16 * rank, [rank; 2]);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   MPI_File_seek(file, 16 * next)
    %   assert(MPI_File_read(file, 1) == next && MPI_File_read(file, 1) == 2)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_read', varargin{:});
end
