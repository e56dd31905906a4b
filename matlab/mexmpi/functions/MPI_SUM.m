function varargout = MPI_SUM(varargin)
    % MPI_SUM  -  Sum (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_SUM', varargin{:});
end
