function varargout = MPI_ERR_TRUNCATE(varargin)
    % MPI_ERR_TRUNCATE  -  Error class: the message is longer than the buffer (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ERR_TRUNCATE', varargin{:});
end
