function varargout = MPI_BXOR(varargin)
    % MPI_BXOR  -  Bitwise exclusive or (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_BXOR', varargin{:});
end
