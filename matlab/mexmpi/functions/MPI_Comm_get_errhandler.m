function varargout = MPI_Comm_get_errhandler(varargin)
    % MPI_Comm_get_errhandler  -  Error handler of a communicator.
    %
    %   errhandler = MPI_Comm_get_errhandler(comm)
    %
    %   comm: a communicator
    %   errhandler (output): an error handler
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Errhandler_get.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Comm_get_errhandler(w) == MPI_ERRORS_RETURN)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_get_errhandler', varargin{:});
end
