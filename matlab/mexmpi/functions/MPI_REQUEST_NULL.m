function varargout = MPI_REQUEST_NULL(varargin)
    % MPI_REQUEST_NULL  -  No operation (a handle: what an operation that was begun has returned).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_REQUEST_NULL', varargin{:});
end
