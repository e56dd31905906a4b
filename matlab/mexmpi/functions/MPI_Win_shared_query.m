function varargout = MPI_Win_shared_query(varargin)
    % MPI_Win_shared_query  -  Size of a rank's part of a shared window and bytes of its unit.
    %
    %   [bytes, unit] = MPI_Win_shared_query(win, rank)
    %
    %   win: a window
    %   rank: a whole number
    %   bytes (output): a number
    %   unit (output): a number
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate_shared(4, 'single', [], MPI_COMM_SELF);
    %   [bytes, unit] = MPI_Win_shared_query(win, 0);
    %   assert(bytes == 16 && unit == 4)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_shared_query', varargin{:});
end
