function varargout = MPI_UINT16_T(varargin)
    % MPI_UINT16_T  -  uint16 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UINT16_T', varargin{:});
end
