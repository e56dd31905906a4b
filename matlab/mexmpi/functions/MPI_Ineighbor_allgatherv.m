function varargout = MPI_Ineighbor_allgatherv(varargin)
    % MPI_Ineighbor_allgatherv  -  Begin to gather different lengths from the neighbours.
    %
    %   request = MPI_Ineighbor_allgatherv(x, counts, comm)
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   comm: a communicator
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   y = MPI_Wait(MPI_Ineighbor_allgatherv(rank * ones(1, 2), [2 2], ring));
    %   assert(isequal(y, [last last next next]))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ineighbor_allgatherv', varargin{:});
end
