function varargout = MPI_ERRORS_RETURN(varargin)
    % MPI_ERRORS_RETURN  -  Errors of MPI become Octave errors (the default) (a handle: an error handler).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ERRORS_RETURN', varargin{:});
end
