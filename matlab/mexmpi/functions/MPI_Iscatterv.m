function varargout = MPI_Iscatterv(varargin)
    % MPI_Iscatterv  -  Begin a scatter of blocks of different lengths; counts on every rank.
    %
    %   request = MPI_Iscatterv(x, counts [, root [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Wait(MPI_Iscatterv(repelem(1:n, 1:n), 1:n, 0));
    %   assert(isequal(y(:), (rank + 1) * ones(rank + 1, 1)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iscatterv', varargin{:});
end
