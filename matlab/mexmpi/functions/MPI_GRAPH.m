function varargout = MPI_GRAPH(varargin)
    % MPI_GRAPH  -  A graph (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_GRAPH', varargin{:});
end
