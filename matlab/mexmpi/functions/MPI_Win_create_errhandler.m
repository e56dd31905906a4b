function varargout = MPI_Win_create_errhandler(varargin)
    % MPI_Win_create_errhandler  -  An error handler for windows.
    %
    %   errhandler = MPI_Win_create_errhandler(f)
    %
    %   f: a function handle, or the name of a function
    %   errhandler (output): an error handler
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   global told
    %   told = [];
    %   win = MPI_Win_create(1);
    %   handler = MPI_Win_create_errhandler('remember');
    %   MPI_Win_set_errhandler(win, handler)
    %   MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
    %   assert(told == MPI_ERR_OTHER)
    %   MPI_Win_free(win)
    %   MPI_Errhandler_free(handler)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_create_errhandler', varargin{:});
end
