function varargout = MPI_Dist_graph_create_adjacent(varargin)
    % MPI_Dist_graph_create_adjacent  -  A graph of which each rank gives its own edges.
    %
    %   newcomm = MPI_Dist_graph_create_adjacent(comm, sources, sourceweights, destinations, destweights [, info [, reorder]])
    %
    %   comm: a communicator
    %   sources: whole numbers
    %   sourceweights: whole numbers
    %   destinations: whole numbers
    %   destweights: whole numbers
    %   info: hints (default: MPI_INFO_NULL)
    %   reorder: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Dist_graph_create_adjacent(w, last, [], next, []);
    %   assert(MPI_Neighbor_allgather(rank, graph) == last)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Dist_graph_create_adjacent', varargin{:});
end
