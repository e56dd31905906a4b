function varargout = MPI_Comm_set_errhandler(varargin)
    % MPI_Comm_set_errhandler  -  Error handler of a communicator: MPI_ERRORS_RETURN raises errors (the default).
    %
    %   MPI_Comm_set_errhandler(comm, errhandler)
    %
    %   comm: a communicator
    %   errhandler: an error handler
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Errhandler_set.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL)
    %   assert(MPI_Comm_get_errhandler(copy) == MPI_ERRORS_ARE_FATAL)
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_set_errhandler', varargin{:});
end
