function varargout = MPI_COMM_NULL(varargin)
    % MPI_COMM_NULL  -  No communicator (a handle: a communicator).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMM_NULL', varargin{:});
end
