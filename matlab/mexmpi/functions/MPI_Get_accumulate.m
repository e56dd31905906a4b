function varargout = MPI_Get_accumulate(varargin)
    % MPI_Get_accumulate  -  Combine elements and read what was there; MPI_Wait gives it after the epoch.
    %
    %   request = MPI_Get_accumulate(x, rank, displacement, op, win)
    %
    %   x: a full numeric, logical or char array
    %   rank: a whole number
    %   displacement: a full numeric, logical or char array (default: none)
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   win: a window
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank * [1 1]);
    %   MPI_Win_lock_all(0, win)
    %   request = MPI_Get_accumulate([5 6], next, 0, 'sum', win);
    %   MPI_Win_flush(next, win)
    %   assert(isequal(MPI_Wait(request), next * [1; 1]))
    %   MPI_Barrier()
    %   assert(isequal(MPI_Wait(MPI_Rget(2, rank, 0, win)), rank + [5; 6]))
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_accumulate', varargin{:});
end
