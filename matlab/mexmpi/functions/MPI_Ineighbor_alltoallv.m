function varargout = MPI_Ineighbor_alltoallv(varargin)
    % MPI_Ineighbor_alltoallv  -  Begin to exchange different lengths with each neighbour.
    %
    %   request = MPI_Ineighbor_alltoallv(x, sendcounts, recvcounts, comm)
    %
    %   x: a full numeric, logical or char array
    %   sendcounts: whole numbers, one for each rank
    %   recvcounts: whole numbers, one for each rank
    %   comm: a communicator
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   y = MPI_Wait(MPI_Ineighbor_alltoallv(rank * ones(1, 4), [2 2], [2 2], ring));
    %   assert(isequal(y, [last last next next]))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ineighbor_alltoallv', varargin{:});
end
