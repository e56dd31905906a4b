function varargout = MPI_MODE_NOPUT(varargin)
    % MPI_MODE_NOPUT  -  The window is not written to (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_NOPUT', varargin{:});
end
