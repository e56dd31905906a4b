function varargout = MPI_Get(varargin)
    % MPI_Get  -  Read elements of another rank's window; MPI_Wait gives them after the epoch.
    %
    %   request = MPI_Get(count, rank, displacement, win)
    %
    %   count: a whole number, above 2^31 too
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   win: a window
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(10 * rank + (1:4));
    %   MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)
    %   request = MPI_Get(2, next, 1, win);
    %   assert(strcmp(failure(@() MPI_Wait(request)), 'mpi:ERR_RMA_SYNC'))    % not before the epoch ends
    %   MPI_Win_unlock(next, win)
    %   assert(isequal(MPI_Wait(request), 10 * next + [2; 3]))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get', varargin{:});
end
