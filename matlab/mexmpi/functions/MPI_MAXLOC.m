function varargout = MPI_MAXLOC(varargin)
    % MPI_MAXLOC  -  Maximum and where; x is 2 x n, values above their indices (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MAXLOC', varargin{:});
end
