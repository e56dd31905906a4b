function varargout = MPI_Win_lock_all(varargin)
    % MPI_Win_lock_all  -  Begin an epoch with all ranks.
    %
    %   MPI_Win_lock_all(assertion, win)
    %
    %   assertion: a whole number (default: 0)
    %   win: a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank);
    %   MPI_Win_lock_all(0, win)
    %   assert(MPI_Wait(MPI_Rget(1, next, 0, win)) == next)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_lock_all', varargin{:});
end
