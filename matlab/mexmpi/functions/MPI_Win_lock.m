function varargout = MPI_Win_lock(varargin)
    % MPI_Win_lock  -  Begin an epoch with one rank (MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE).
    %
    %   MPI_Win_lock(type, rank, assertion, win)
    %
    %   type: a whole number (default: shared)
    %   rank: a whole number
    %   assertion: a whole number (default: 0)
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank);
    %   MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win)
    %   request = MPI_Get(1, next, 0, win);
    %   MPI_Win_unlock(next, win)
    %   assert(MPI_Wait(request) == next)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_lock', varargin{:});
end
