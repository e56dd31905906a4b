function varargout = MPI_IDENT(varargin)
    % MPI_IDENT  -  The same object (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_IDENT', varargin{:});
end
