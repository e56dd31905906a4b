function varargout = MPI_Rget_accumulate(varargin)
    % MPI_Rget_accumulate  -  Combine elements and read what was there; MPI_Wait gives it at once.
    %
    %   request = MPI_Rget_accumulate(x, rank, displacement, op, win)
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
    %   win = MPI_Win_create(rank);
    %   MPI_Win_lock_all(0, win)
    %   assert(MPI_Wait(MPI_Rget_accumulate(100, next, 0, MPI_REPLACE, win)) == next)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Rget_accumulate', varargin{:});
end
