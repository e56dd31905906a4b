function varargout = MPI_THREAD_SERIALIZED(varargin)
    % MPI_THREAD_SERIALIZED  -  One thread at a time calls MPI (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_THREAD_SERIALIZED', varargin{:});
end
