function varargout = MPI_Neighbor_allgather_init(varargin)
    % MPI_Neighbor_allgather_init  -  Prepare a gather from the neighbours.
    %
    %   request = MPI_Neighbor_allgather_init(x, comm [, info])
    %
    %   x: a full numeric, logical or char array
    %   comm: a communicator
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   request = MPI_Neighbor_allgather_init(rank, ring);
    %   MPI_Start(request)
    %   assert(isequal(MPI_Wait(request), [last, next]))
    %   MPI_Request_free(request)
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Neighbor_allgather_init', varargin{:});
end
