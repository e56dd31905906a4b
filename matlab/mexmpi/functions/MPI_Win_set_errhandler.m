function varargout = MPI_Win_set_errhandler(varargin)
    % MPI_Win_set_errhandler  -  Error handler of a window.
    %
    %   MPI_Win_set_errhandler(win, errhandler)
    %
    %   win: a window
    %   errhandler: an error handler
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL)
    %   assert(MPI_Win_get_errhandler(win) == MPI_ERRORS_ARE_FATAL)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_set_errhandler', varargin{:});
end
