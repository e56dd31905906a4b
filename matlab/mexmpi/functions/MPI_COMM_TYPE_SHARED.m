function varargout = MPI_COMM_TYPE_SHARED(varargin)
    % MPI_COMM_TYPE_SHARED  -  Ranks that share memory (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMM_TYPE_SHARED', varargin{:});
end
