function varargout = MPI_Graph_neighbors_count(varargin)
    % MPI_Graph_neighbors_count  -  Number of neighbours of a rank in a graph.
    %
    %   count = MPI_Graph_neighbors_count(comm, rank)
    %
    %   comm: a communicator of MPI_Graph_create
    %   rank: a whole number
    %   count (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Graph_create(w, 2 * (1:n), repelem(mod(1:n, n), 2));
    %   assert(MPI_Graph_neighbors_count(graph, rank) == 2)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Graph_neighbors_count', varargin{:});
end
