function varargout = MPI_BOR(varargin)
    % MPI_BOR  -  Bitwise or (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_BOR', varargin{:});
end
