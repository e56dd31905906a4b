function varargout = MPI_Put(varargin)
    % MPI_Put  -  Write elements into another rank's window.
    %
    %   MPI_Put(x, rank, displacement, win)
    %
    %   x: a full numeric, logical or char array
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(3);
    %   MPI_Win_fence(0, win)
    %   MPI_Put(rank + [1 2], next, 1, win)
    %   MPI_Win_fence(0, win)
    %   assert(isequal(MPI_Win_load(win), [0; last + 1; last + 2]))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Put', varargin{:});
end
