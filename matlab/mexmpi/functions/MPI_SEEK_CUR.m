function varargout = MPI_SEEK_CUR(varargin)
    % MPI_SEEK_CUR  -  From the pointer (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_SEEK_CUR', varargin{:});
end
