function varargout = MPI_MODE_NOPRECEDE(varargin)
    % MPI_MODE_NOPRECEDE  -  The fence ends nothing (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_NOPRECEDE', varargin{:});
end
