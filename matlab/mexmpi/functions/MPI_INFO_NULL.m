function varargout = MPI_INFO_NULL(varargin)
    % MPI_INFO_NULL  -  No hints (a handle: hints).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_INFO_NULL', varargin{:});
end
