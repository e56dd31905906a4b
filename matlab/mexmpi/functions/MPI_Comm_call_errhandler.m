function varargout = MPI_Comm_call_errhandler(varargin)
    % MPI_Comm_call_errhandler  -  Call the error handler of a communicator.
    %
    %   MPI_Comm_call_errhandler(comm, code)
    %
    %   comm: a communicator
    %   code: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   global told
    %   told = [];
    %   handler = MPI_Comm_create_errhandler(@remember);
    %   MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
    %   MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_RANK)
    %   MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    %   assert(told == MPI_ERR_RANK)
    %   MPI_Errhandler_free(handler)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_call_errhandler', varargin{:});
end
