function varargout = MPI_File_iwrite_shared(varargin)
    % MPI_File_iwrite_shared  -  Begin to write at the shared pointer.
    %
    %   request = MPI_File_iwrite_shared(file, x)
    %
    %   file: a file
    %   x: a full numeric, logical or char array
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_Wait(MPI_File_iwrite_shared(file, rank));
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(isequal(sort(MPI_File_read_at(file, 0, n)), (0:n - 1)'))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_iwrite_shared', varargin{:});
end
