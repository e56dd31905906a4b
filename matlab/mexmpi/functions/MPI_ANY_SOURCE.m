function varargout = MPI_ANY_SOURCE(varargin)
    % MPI_ANY_SOURCE  -  Any sender (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ANY_SOURCE', varargin{:});
end
