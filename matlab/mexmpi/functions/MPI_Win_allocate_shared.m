function varargout = MPI_Win_allocate_shared(varargin)
    % MPI_Win_allocate_shared  -  A window in memory that the ranks share.
    %
    %   win = MPI_Win_allocate_shared(count [, class [, info [, comm]]])
    %
    %   count: a whole number, above 2^31 too
    %   class: a text (default: double)
    %   info: hints (default: MPI_INFO_NULL)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   win (output): a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate_shared(2, 'double', [], MPI_COMM_SELF);
    %   MPI_Win_lock_all(0, win)
    %   MPI_Win_store(win, [5; 6])
    %   assert(isequal(MPI_Win_load(win, 0), [5; 6]))
    %   MPI_Win_unlock_all(win)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_allocate_shared', varargin{:});
end
