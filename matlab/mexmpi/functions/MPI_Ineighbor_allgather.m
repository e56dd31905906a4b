function varargout = MPI_Ineighbor_allgather(varargin)
    % MPI_Ineighbor_allgather  -  Begin to gather from the neighbours.
    %
    %   request = MPI_Ineighbor_allgather(x, comm)
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
    %   assert(isequal(MPI_Wait(MPI_Ineighbor_allgather(rank, ring)), [last, next]))
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ineighbor_allgather', varargin{:});
end
