function varargout = MPI_MIN(varargin)
    % MPI_MIN  -  Minimum (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MIN', varargin{:});
end
