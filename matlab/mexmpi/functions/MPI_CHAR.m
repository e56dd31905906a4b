function varargout = MPI_CHAR(varargin)
    % MPI_CHAR  -  char (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_CHAR', varargin{:});
end
