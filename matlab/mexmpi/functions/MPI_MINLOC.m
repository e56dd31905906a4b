function varargout = MPI_MINLOC(varargin)
    % MPI_MINLOC  -  Minimum and where; x is 2 x n, values above their indices (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MINLOC', varargin{:});
end
