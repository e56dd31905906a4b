function varargout = MPI_SEEK_SET(varargin)
    % MPI_SEEK_SET  -  From the beginning (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_SEEK_SET', varargin{:});
end
