function varargout = MPI_LAND(varargin)
    % MPI_LAND  -  Logical and (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_LAND', varargin{:});
end
