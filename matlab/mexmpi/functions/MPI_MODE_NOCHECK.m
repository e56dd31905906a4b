function varargout = MPI_MODE_NOCHECK(varargin)
    % MPI_MODE_NOCHECK  -  No conflicting lock exists (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_NOCHECK', varargin{:});
end
