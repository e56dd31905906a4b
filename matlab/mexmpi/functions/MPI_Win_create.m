function varargout = MPI_Win_create(varargin)
    % MPI_Win_create  -  A window that begins as a copy of an array.
    %
    %   win = MPI_Win_create(x [, info [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   info: hints (default: MPI_INFO_NULL)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   win (output): a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank * ones(1, 3));
    %   MPI_Win_fence(0, win)
    %   request = MPI_Get(3, next, 0, win);
    %   MPI_Win_fence(0, win)
    %   assert(isequal(MPI_Wait(request), next * ones(3, 1)))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_create', varargin{:});
end
