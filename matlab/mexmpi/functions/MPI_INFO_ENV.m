function varargout = MPI_INFO_ENV(varargin)
    % MPI_INFO_ENV  -  How the job was started (a handle: hints).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INFO_ENV', varargin{:});
end
