function varargout = MPI_ERR_COMM(varargin)
    % MPI_ERR_COMM  -  Error class: no such communicator (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ERR_COMM', varargin{:});
end
