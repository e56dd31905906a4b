function varargout = MPI_Raccumulate(varargin)
    % MPI_Raccumulate  -  Combine elements; MPI_Wait says when x may change.
    %
    %   request = MPI_Raccumulate(x, rank, displacement, op, win)
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
    %   win = MPI_Win_allocate(1);
    %   MPI_Win_lock_all(0, win)
    %   MPI_Wait(MPI_Raccumulate(2, next, 0, 'sum', win));
    %   MPI_Win_flush(next, win)
    %   MPI_Barrier()
    %   assert(MPI_Wait(MPI_Rget(1, rank, 0, win)) == 2)
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Raccumulate', varargin{:});
end
