function varargout = MPI_File_read_shared(varargin)
    % MPI_File_read_shared  -  Read at the pointer that the ranks share.
    %
    %   [x, status] = MPI_File_read_shared(file, count [, class])
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
    %   MPI_File_seek_shared(file, 0)
    %   x = MPI_File_read_shared(file, 2);
    %   assert(MPI_Allreduce(x(1)) == n * (n - 1) / 2)       % each rank has got another piece
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_read_shared', varargin{:});
end
