function varargout = MPI_Ineighbor_alltoall(varargin)
    % MPI_Ineighbor_alltoall  -  Begin to exchange a block with each neighbour.
    %
    %   request = MPI_Ineighbor_alltoall(x, comm)
    %
    %   x: a full numeric, logical or char array
    %   comm: a communicator
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   y = MPI_Wait(MPI_Ineighbor_alltoall(rank * [1 1], ring));
    %   assert(isequal(y, [last, next]))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ineighbor_alltoall', varargin{:});
end
