function varargout = MPI_NO_OP(varargin)
    % MPI_NO_OP  -  For MPI_Get_accumulate: only read (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_NO_OP', varargin{:});
end
