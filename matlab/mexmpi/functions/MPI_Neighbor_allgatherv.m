function varargout = MPI_Neighbor_allgatherv(varargin)
    % MPI_Neighbor_allgatherv  -  Arrays of different lengths of the neighbours.
    %
    %   y = MPI_Neighbor_allgatherv(x, counts, comm)
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   comm: a communicator
    %   y (output): the value
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   y = MPI_Neighbor_allgatherv(rank * ones(1, 2), [2 2], ring);
    %   assert(isequal(y, [last last next next]))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Neighbor_allgatherv', varargin{:});
end
