function varargout = MPI_Alltoallv_init(varargin)
    % MPI_Alltoallv_init  -  Prepare an exchange of different lengths.
    %
    %   request = MPI_Alltoallv_init(x, sendcounts, recvcounts [, comm [, info]])
    %
    %   x: a full numeric, logical or char array
    %   sendcounts: whole numbers, one for each rank
    %   recvcounts: whole numbers, one for each rank
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Alltoallv_init(rank * ones(1, 2 * n), 2 * ones(1, n), 2 * ones(1, n));
    %   MPI_Start(request)
    %   assert(isequal(reshape(MPI_Wait(request), [], 1), kron((0:n - 1)', [1; 1])))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Alltoallv_init', varargin{:});
end
