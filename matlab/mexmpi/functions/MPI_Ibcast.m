function varargout = MPI_Ibcast(varargin)
    % MPI_Ibcast  -  Begin a broadcast; x of the same class and size on every rank.
    %
    %   request = MPI_Ibcast(x [, root [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Ibcast(rank * [1 2 3], n - 1);
    %   assert(isequal(MPI_Wait(request), (n - 1) * [1 2 3]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ibcast', varargin{:});
end
