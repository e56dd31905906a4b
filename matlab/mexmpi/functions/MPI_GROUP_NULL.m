function varargout = MPI_GROUP_NULL(varargin)
    % MPI_GROUP_NULL  -  No group (a handle: a group).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_GROUP_NULL', varargin{:});
end
