function varargout = MPI_GROUP_EMPTY(varargin)
    % MPI_GROUP_EMPTY  -  The group of nobody (a handle: a group).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_GROUP_EMPTY', varargin{:});
end
