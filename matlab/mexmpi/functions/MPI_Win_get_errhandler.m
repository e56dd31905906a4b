function varargout = MPI_Win_get_errhandler(varargin)
    % MPI_Win_get_errhandler  -  Error handler of a window.
    %
    %   errhandler = MPI_Win_get_errhandler(win)
    %
    %   win: a window
    %   errhandler (output): an error handler
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   assert(MPI_Win_get_errhandler(win) == MPI_ERRORS_RETURN)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_get_errhandler', varargin{:});
end
