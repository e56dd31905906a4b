function varargout = MPI_MODE_DELETE_ON_CLOSE(varargin)
    % MPI_MODE_DELETE_ON_CLOSE  -  Delete the file when it is closed (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_DELETE_ON_CLOSE', varargin{:});
end
