function varargout = MPI_DIST_GRAPH(varargin)
    % MPI_DIST_GRAPH  -  A distributed graph (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_DIST_GRAPH', varargin{:});
end
