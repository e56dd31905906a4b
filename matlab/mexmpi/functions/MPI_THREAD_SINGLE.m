function varargout = MPI_THREAD_SINGLE(varargin)
    % MPI_THREAD_SINGLE  -  One thread (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_THREAD_SINGLE', varargin{:});
end
