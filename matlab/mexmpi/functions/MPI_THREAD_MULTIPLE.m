function varargout = MPI_THREAD_MULTIPLE(varargin)
    % MPI_THREAD_MULTIPLE  -  Any thread calls MPI (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_THREAD_MULTIPLE', varargin{:});
end
