function varargout = MPI_UNEQUAL(varargin)
    % MPI_UNEQUAL  -  Different processes (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UNEQUAL', varargin{:});
end
