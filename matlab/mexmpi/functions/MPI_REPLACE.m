function varargout = MPI_REPLACE(varargin)
    % MPI_REPLACE  -  For MPI_Accumulate: write (a handle: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_REPLACE', varargin{:});
end
