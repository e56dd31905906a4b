function varargout = MPI_ERRORS_ARE_FATAL(varargin)
    % MPI_ERRORS_ARE_FATAL  -  Errors of MPI end the job (a handle: an error handler).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ERRORS_ARE_FATAL', varargin{:});
end
