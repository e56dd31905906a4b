function varargout = MPI_C_FLOAT_COMPLEX(varargin)
    % MPI_C_FLOAT_COMPLEX  -  complex single (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_C_FLOAT_COMPLEX', varargin{:});
end
