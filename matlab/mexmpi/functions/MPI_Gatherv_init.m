function varargout = MPI_Gatherv_init(varargin)
    % MPI_Gatherv_init  -  Prepare a gather of different lengths.
    %
    %   request = MPI_Gatherv_init(x, counts [, root [, comm [, info]]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Gatherv_init(rank * ones(1, rank + 1), 1:n, 0);
    %   MPI_Start(request)
    %   y = MPI_Wait(request);
    %   assert(rank > 0 && isempty(y) || numel(y) == n * (n + 1) / 2 && y(end) == n - 1)
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Gatherv_init', varargin{:});
end
