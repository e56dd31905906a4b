function varargout = MPI_DOUBLE(varargin)
    % MPI_DOUBLE  -  double (a handle: a datatype).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_DOUBLE', varargin{:});
end
