function varargout = MPI_INT(varargin)
    % MPI_INT  -  int32, as C calls it (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INT', varargin{:});
end
