function varargout = MPI_Win_call_errhandler(varargin)
    % MPI_Win_call_errhandler  -  Call the error handler of a window.
    %
    %   MPI_Win_call_errhandler(win, code)
    %
    %   win: a window
    %   code: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   global told
    %   told = [];
    %   win = MPI_Win_create(1);
    %   handler = MPI_Win_create_errhandler(@remember);
    %   MPI_Win_set_errhandler(win, handler)
    %   MPI_Win_call_errhandler(win, MPI_ERR_RANK)
    %   assert(told == MPI_ERR_RANK)
    %   MPI_Win_free(win)
    %   MPI_Errhandler_free(handler)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_call_errhandler', varargin{:});
end
