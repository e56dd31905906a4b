function varargout = MPI_BAND(varargin)
    % MPI_BAND  -  Bitwise and (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_BAND', varargin{:});
end
