function varargout = MPI_Win_flush_local_all(varargin)
    % MPI_Win_flush_local_all  -  Complete all operations on this side.
    %
    %   MPI_Win_flush_local_all(win)
    %
    %   win: a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank);
    %   MPI_Win_lock_all(0, win)
    %   request = MPI_Get(1, next, 0, win);
    %   MPI_Win_flush_local_all(win)
    %   assert(MPI_Wait(request) == next)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_flush_local_all', varargin{:});
end
