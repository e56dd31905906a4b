function varargout = MPI_UNIVERSE_SIZE(varargin)
    % MPI_UNIVERSE_SIZE  -  Key of the number of processes that the job may have (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UNIVERSE_SIZE', varargin{:});
end
