function varargout = MPI_LXOR(varargin)
    % MPI_LXOR  -  Logical exclusive or (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_LXOR', varargin{:});
end
