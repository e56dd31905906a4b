function varargout = MPI_File_sync(varargin)
    % MPI_File_sync  -  Bring what was written to the disk.
    %
    %   MPI_File_sync(file)
    %
    %   file: a file
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_at(file, 8 * rank, rank);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(MPI_File_read_at(file, 8 * next, 1) == next)
    %   MPI_File_close(file)
    %   assert(strcmp(failure(@() MPI_File_sync(file)), 'mpi:ERR_FILE'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_sync', varargin{:});
end
