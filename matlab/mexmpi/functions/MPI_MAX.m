function varargout = MPI_MAX(varargin)
    % MPI_MAX  -  Maximum (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MAX', varargin{:});
end
