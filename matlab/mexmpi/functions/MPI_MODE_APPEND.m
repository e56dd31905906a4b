function varargout = MPI_MODE_APPEND(varargin)
    % MPI_MODE_APPEND  -  Begin at the end (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_APPEND', varargin{:});
end
