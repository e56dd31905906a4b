function varargout = MPI_ERR_OTHER(varargin)
    % MPI_ERR_OTHER  -  Error class: another error (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ERR_OTHER', varargin{:});
end
