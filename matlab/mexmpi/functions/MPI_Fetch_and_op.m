function varargout = MPI_Fetch_and_op(varargin)
    % MPI_Fetch_and_op  -  Combine one element and read what was there.
    %
    %   request = MPI_Fetch_and_op(x, rank, displacement, op, win)
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
    %   request = MPI_Fetch_and_op(1, 0, 0, 'sum', win);     % a ticket: each rank gets another number
    %   MPI_Win_flush(0, win)
    %   tickets = MPI_Allgather(MPI_Wait(request));
    %   MPI_Win_unlock_all(win)
    %   assert(isequal(sort(tickets), 0:n - 1))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Fetch_and_op', varargin{:});
end
