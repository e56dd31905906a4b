function varargout = MPI_INT64_T(varargin)
    % MPI_INT64_T  -  int64 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INT64_T', varargin{:});
end
