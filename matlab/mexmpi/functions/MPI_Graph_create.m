function varargout = MPI_Graph_create(varargin)
    % MPI_Graph_create  -  A communicator whose ranks form a graph.
    %
    %   newcomm = MPI_Graph_create(comm, index, edges [, reorder])
    %
    %   comm: a communicator
    %   index: whole numbers
    %   edges: whole numbers
    %   reorder: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Graph_create(w, 1:n, mod(1:n, n));      % each node has one edge, to the next
    %   assert(MPI_Topo_test(graph) == MPI_GRAPH)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Graph_create', varargin{:});
end
