function varargout = MPI_COMM_SELF(varargin)
    % MPI_COMM_SELF  -  This rank alone (a handle: a communicator).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMM_SELF', varargin{:});
end
