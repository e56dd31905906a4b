function varargout = MPI_Win_sync(varargin)
    % MPI_Win_sync  -  Make what was written visible in both copies of a window.
    %
    %   MPI_Win_sync(win)
    %
    %   win: a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate_shared(1, 'double', [], MPI_COMM_SELF);
    %   MPI_Win_lock_all(0, win)
    %   MPI_Win_store(win, 3)
    %   MPI_Win_sync(win)
    %   assert(MPI_Win_load(win) == 3)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)
    %   assert(strcmp(failure(@() MPI_Win_sync(win)), 'mpi:ERR_WIN'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_sync', varargin{:});
end
