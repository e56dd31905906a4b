function varargout = MPI_Win_unlock(varargin)
    % MPI_Win_unlock  -  End an epoch with one rank.
    %
    %   MPI_Win_unlock(rank, win)
    %
    %   rank: a whole number
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(1);
    %   MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win)
    %   MPI_Put(rank + 1, next, 0, win)
    %   MPI_Win_unlock(next, win)
    %   MPI_Barrier()
    %   MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win)
    %   assert(MPI_Win_load(win) == last + 1)
    %   MPI_Win_unlock(rank, win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_unlock', varargin{:});
end
