function varargout = MPI_UINT8_T(varargin)
    % MPI_UINT8_T  -  uint8 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UINT8_T', varargin{:});
end
