function varargout = MPI_Win_fence(varargin)
    % MPI_Win_fence  -  Begin or end an epoch of all ranks.
    %
    %   MPI_Win_fence(assertion, win)
    %
    %   assertion: a whole number (default: 0)
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(1);
    %   MPI_Win_fence(MPI_MODE_NOPRECEDE, win)
    %   MPI_Put(rank + 1, next, 0, win)
    %   MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
    %   assert(MPI_Win_load(win) == last + 1)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_fence', varargin{:});
end
