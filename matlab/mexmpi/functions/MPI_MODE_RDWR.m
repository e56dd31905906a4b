function varargout = MPI_MODE_RDWR(varargin)
    % MPI_MODE_RDWR  -  Read and write (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_RDWR', varargin{:});
end
