function varargout = MPI_TYPECLASS_REAL(varargin)
    % MPI_TYPECLASS_REAL  -  Floating-point types (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_TYPECLASS_REAL', varargin{:});
end
