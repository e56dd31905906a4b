function varargout = MPI_INT8_T(varargin)
    % MPI_INT8_T  -  int8 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INT8_T', varargin{:});
end
