function varargout = MPI_UINT64_T(varargin)
    % MPI_UINT64_T  -  uint64 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UINT64_T', varargin{:});
end
