function varargout = MPI_Igatherv(varargin)
    % MPI_Igatherv  -  Begin a gather of arrays of different lengths.
    %
    %   request = MPI_Igatherv(x, counts [, root [, comm]])
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
    %   y = MPI_Wait(MPI_Igatherv(rank * ones(1, rank + 2), 2:n + 1, 0));
    %   assert(rank > 0 && isempty(y) || numel(y) == sum(2:n + 1) && y(end) == n - 1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Igatherv', varargin{:});
end
