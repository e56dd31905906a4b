function varargout = MPI_Win_flush_local(varargin)
    % MPI_Win_flush_local  -  Complete all operations with one rank on this side.
    %
    %   MPI_Win_flush_local(rank, win)
    %
    %   rank: a whole number
    %   win: a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank);
    %   MPI_Win_lock_all(0, win)
    %   request = MPI_Get(1, next, 0, win);
    %   MPI_Win_flush_local(next, win)
    %   assert(MPI_Wait(request) == next)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_flush_local', varargin{:});
end
