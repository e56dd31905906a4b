function varargout = MPI_C_DOUBLE_COMPLEX(varargin)
    % MPI_C_DOUBLE_COMPLEX  -  complex double (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_C_DOUBLE_COMPLEX', varargin{:});
end
