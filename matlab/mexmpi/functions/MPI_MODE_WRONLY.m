function varargout = MPI_MODE_WRONLY(varargin)
    % MPI_MODE_WRONLY  -  Only write (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_WRONLY', varargin{:});
end
