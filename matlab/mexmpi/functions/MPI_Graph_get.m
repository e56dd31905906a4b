function varargout = MPI_Graph_get(varargin)
    % MPI_Graph_get  -  A graph as it was given.
    %
    %   [index, edges] = MPI_Graph_get(comm)
    %
    %   comm: a communicator of MPI_Graph_create
    %   index (output): the value
    %   edges (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Graph_create(w, 1:n, mod(1:n, n));
    %   [index, edges] = MPI_Graph_get(graph);
    %   assert(isequal(index, 1:n) && isequal(edges, mod(1:n, n)))
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Graph_get', varargin{:});
end
