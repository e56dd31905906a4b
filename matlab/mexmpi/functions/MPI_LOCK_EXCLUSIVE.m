function varargout = MPI_LOCK_EXCLUSIVE(varargin)
    % MPI_LOCK_EXCLUSIVE  -  Nobody else may lock (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_LOCK_EXCLUSIVE', varargin{:});
end
