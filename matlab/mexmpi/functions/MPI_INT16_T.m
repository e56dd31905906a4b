function varargout = MPI_INT16_T(varargin)
    % MPI_INT16_T  -  int16 (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INT16_T', varargin{:});
end
