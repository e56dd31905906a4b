function varargout = MPI_Rput(varargin)
    % MPI_Rput  -  Write elements; MPI_Wait says when x may change.
    %
    %   request = MPI_Rput(x, rank, displacement, win)
    %
    %   x: a full numeric, logical or char array
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   win: a window
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(1);
    %   MPI_Win_lock_all(0, win)
    %   MPI_Wait(MPI_Rput(rank, next, 0, win));
    %   MPI_Win_flush(next, win)
    %   MPI_Barrier()
    %   request = MPI_Rget(1, rank, 0, win);
    %   assert(MPI_Wait(request) == last)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Rput', varargin{:});
end
