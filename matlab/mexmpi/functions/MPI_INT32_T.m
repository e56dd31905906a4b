function varargout = MPI_INT32_T(varargin)
    % MPI_INT32_T  -  int32 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INT32_T', varargin{:});
end
