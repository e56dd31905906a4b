function varargout = MPI_MODE_NOSUCCEED(varargin)
    % MPI_MODE_NOSUCCEED  -  The fence begins nothing (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_NOSUCCEED', varargin{:});
end
