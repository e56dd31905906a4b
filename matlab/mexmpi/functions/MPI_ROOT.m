function varargout = MPI_ROOT(varargin)
    % MPI_ROOT  -  The root, where two sides of an intercommunicator meet (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ROOT', varargin{:});
end
