function varargout = MPI_SEEK_END(varargin)
    % MPI_SEEK_END  -  From the end (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_SEEK_END', varargin{:});
end
