function varargout = MPI_Comm_create_errhandler(varargin)
    % MPI_Comm_create_errhandler  -  An error handler out of an Octave function of a communicator and a code.
    %
    %   errhandler = MPI_Comm_create_errhandler(f)
    %
    %   f: a function handle, or the name of a function
    %   errhandler (output): an error handler
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Errhandler_create.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   global told
    %   told = [];
    %   copy = MPI_Comm_dup(w);
    %   handler = MPI_Comm_create_errhandler('remember');    % function remember(code), global told; told = code; end
    %   MPI_Comm_set_errhandler(copy, handler)
    %   MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER)
    %   assert(told == MPI_ERR_OTHER)
    %   MPI_Comm_free(copy)
    %   MPI_Errhandler_free(handler)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_create_errhandler', varargin{:});
end
