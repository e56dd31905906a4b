function varargout = MPI_MODE_RDONLY(varargin)
    % MPI_MODE_RDONLY  -  Only read (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_RDONLY', varargin{:});
end
