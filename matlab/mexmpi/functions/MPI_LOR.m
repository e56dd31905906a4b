function varargout = MPI_LOR(varargin)
    % MPI_LOR  -  Logical or (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_LOR', varargin{:});
end
