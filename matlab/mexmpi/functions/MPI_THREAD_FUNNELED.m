function varargout = MPI_THREAD_FUNNELED(varargin)
    % MPI_THREAD_FUNNELED  -  Only the main thread calls MPI (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_THREAD_FUNNELED', varargin{:});
end
