function varargout = MPI_PROD(varargin)
    % MPI_PROD  -  Product (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_PROD', varargin{:});
end
