function varargout = MPI_UINT32_T(varargin)
    % MPI_UINT32_T  -  uint32 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UINT32_T', varargin{:});
end
