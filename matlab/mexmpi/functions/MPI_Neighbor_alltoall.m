function varargout = MPI_Neighbor_alltoall(varargin)
    % MPI_Neighbor_alltoall  -  A block to and from each neighbour.
    %
    %   y = MPI_Neighbor_alltoall(x, comm)
    %
    %   x: a full numeric, logical or char array
    %   comm: a communicator
    %   y (output): the value
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   y = MPI_Neighbor_alltoall([10 * rank, 10 * rank + 1], ring);   % to the left, to the right
    %   assert(isequal(sort(y), sort([10 * last + 1, 10 * next])) || n <= 2)
    %   assert(numel(y) == 2 && all(ismember(floor(y / 10), [last, next])))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Neighbor_alltoall', varargin{:});
end
