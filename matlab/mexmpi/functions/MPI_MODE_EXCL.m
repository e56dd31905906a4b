function varargout = MPI_MODE_EXCL(varargin)
    % MPI_MODE_EXCL  -  Refuse a file that exists (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_EXCL', varargin{:});
end
