function varargout = MPI_File_iread_shared(varargin)
    % MPI_File_iread_shared  -  Begin to read at the shared pointer.
    %
    %   request = MPI_File_iread_shared(file, count [, class])
    %
    %   file: a file
    %   count: a whole number, above 2^31 too
    %   class: a text (default: double)
    %   request (output): for MPI_Wait and its kin
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
    %   x = MPI_Wait(MPI_File_iread_shared(file, 2));
    %   assert(MPI_Allreduce(x(1)) == n * (n - 1) / 2)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_iread_shared', varargin{:});
end
