function varargout = MPI_Neighbor_allgather(varargin)
    % MPI_Neighbor_allgather  -  Arrays of the neighbours of a topology, stacked.
    %
    %   y = MPI_Neighbor_allgather(x, comm)
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
    %   assert(isequal(MPI_Neighbor_allgather(rank, ring), [last, next]))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Neighbor_allgather', varargin{:});
end
