function varargout = MPI_File_read_all(varargin)
    % MPI_File_read_all  -  The same, all ranks together.
    %
    %   [x, status] = MPI_File_read_all(file, count [, class])
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
    %   assert(isequal(MPI_File_read_all(file, 2), [next; 2]))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_read_all', varargin{:});
end
