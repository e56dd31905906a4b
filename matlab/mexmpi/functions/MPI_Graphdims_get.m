function varargout = MPI_Graphdims_get(varargin)
    % MPI_Graphdims_get  -  Numbers of nodes and edges of a graph.
    %
    %   [nodes, edges] = MPI_Graphdims_get(comm)
    %
    %   comm: a communicator of MPI_Graph_create
    %   nodes (output): a number
    %   edges (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Graph_create(w, 1:n, mod(1:n, n));
    %   [nodes, edges] = MPI_Graphdims_get(graph);
    %   assert(nodes == n && edges == n)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Graphdims_get', varargin{:});
end
