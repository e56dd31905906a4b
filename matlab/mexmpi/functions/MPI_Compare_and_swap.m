function varargout = MPI_Compare_and_swap(varargin)
    % MPI_Compare_and_swap  -  Replace one element if it equals another, and read what was there.
    %
    %   request = MPI_Compare_and_swap(x, compare, rank, displacement, win)
    %
    %   x: a full numeric, logical or char array
    %   compare: a full numeric, logical or char array
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   win: a window
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(int64(0));
    %   MPI_Win_lock_all(0, win)
    %   request = MPI_Compare_and_swap(int64(rank + 1), int64(0), 0, 0, win);   % only the first one swaps
    %   MPI_Win_flush(0, win)
    %   before = MPI_Wait(request);
    %   winners = MPI_Allreduce(double(before == 0));
    %   MPI_Win_unlock_all(win)
    %   assert(winners == 1)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Compare_and_swap', varargin{:});
end
