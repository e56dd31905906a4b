function varargout = MPI_PROC_NULL(varargin)
    % MPI_PROC_NULL  -  No rank: nothing is sent, nothing comes (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_PROC_NULL', varargin{:});
end
