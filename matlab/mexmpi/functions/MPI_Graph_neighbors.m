function varargout = MPI_Graph_neighbors(varargin)
    % MPI_Graph_neighbors  -  Neighbours of a rank in a graph.
    %
    %   neighbors = MPI_Graph_neighbors(comm, rank)
    %
    %   comm: a communicator of MPI_Graph_create
    %   rank: a whole number
    %   neighbors (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Graph_create(w, 1:n, mod(1:n, n));
    %   assert(MPI_Graph_neighbors(graph, rank) == next)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Graph_neighbors', varargin{:});
end
