function varargout = MPI_TYPECLASS_INTEGER(varargin)
    % MPI_TYPECLASS_INTEGER  -  Whole-number types (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_TYPECLASS_INTEGER', varargin{:});
end
