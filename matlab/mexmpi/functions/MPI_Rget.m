function varargout = MPI_Rget(varargin)
    % MPI_Rget  -  Read elements; MPI_Wait gives them at once.
    %
    %   request = MPI_Rget(count, rank, displacement, win)
    %
    %   count: a whole number, above 2^31 too
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   win: a window
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(10 * rank + (1:4));
    %   MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)
    %   assert(isequal(MPI_Wait(MPI_Rget(2, next, 1, win)), 10 * next + [2; 3]))
    %   MPI_Win_unlock(next, win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Rget', varargin{:});
end
