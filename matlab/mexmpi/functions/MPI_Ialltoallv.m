function varargout = MPI_Ialltoallv(varargin)
    % MPI_Ialltoallv  -  Begin an exchange of blocks of different lengths.
    %
    %   request = MPI_Ialltoallv(x, sendcounts, recvcounts [, comm])
    %
    %   x: a full numeric, logical or char array
    %   sendcounts: whole numbers, one for each rank
    %   recvcounts: whole numbers, one for each rank
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Wait(MPI_Ialltoallv(rank * ones(1, 2 * n), 2 * ones(1, n), 2 * ones(1, n)));
    %   assert(isequal(y(:), kron((0:n - 1)', [1; 1])))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ialltoallv', varargin{:});
end
