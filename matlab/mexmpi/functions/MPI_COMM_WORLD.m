function varargout = MPI_COMM_WORLD(varargin)
    % MPI_COMM_WORLD  -  All ranks (a handle: a communicator).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMM_WORLD', varargin{:});
end
