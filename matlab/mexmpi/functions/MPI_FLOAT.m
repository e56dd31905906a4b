function varargout = MPI_FLOAT(varargin)
    % MPI_FLOAT  -  single (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_FLOAT', varargin{:});
end
