function varargout = MPI_Errhandler_free(varargin)
    % MPI_Errhandler_free  -  Let go of an error handler.
    %
    %   MPI_Errhandler_free(errhandler)
    %
    %   errhandler: an error handler; no more one after the call
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   handler = MPI_Comm_create_errhandler('remember');
    %   MPI_Errhandler_free(handler)
    %   assert(strcmp(failure(@() MPI_Errhandler_free(handler)), 'mpi:ERR_ERRHANDLER'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Errhandler_free', varargin{:});
end
