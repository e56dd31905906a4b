function varargout = MPI_LOCK_SHARED(varargin)
    % MPI_LOCK_SHARED  -  Others may lock too (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_LOCK_SHARED', varargin{:});
end
