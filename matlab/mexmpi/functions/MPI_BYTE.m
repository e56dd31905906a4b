function varargout = MPI_BYTE(varargin)
    % MPI_BYTE  -  Bytes as they are (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_BYTE', varargin{:});
end
