function varargout = MPI_Accumulate(varargin)
    % MPI_Accumulate  -  Combine elements into another rank's window.
    %
    %   MPI_Accumulate(x, rank, displacement, op, win)
    %
    %   x: a full numeric, logical or char array
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(1);
    %   MPI_Win_fence(0, win)
    %   MPI_Accumulate(rank + 1, 0, 0, 'sum', win)
    %   MPI_Win_fence(0, win)
    %   assert(rank > 0 || MPI_Win_load(win) == n * (n + 1) / 2)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Accumulate', varargin{:});
end
