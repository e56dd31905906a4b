function varargout = MPI_Dist_graph_neighbors(varargin)
    % MPI_Dist_graph_neighbors  -  Neighbours of this rank.
    %
    %   [sources, sourceweights, destinations, destweights] = MPI_Dist_graph_neighbors(comm)
    %
    %   comm: a communicator of MPI_Dist_graph_create
    %   sources (output): the value
    %   sourceweights (output): the value
    %   destinations (output): the value
    %   destweights (output): the value
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Dist_graph_create_adjacent(w, last, 5, next, 6);
    %   [sources, sourceweights, destinations, destweights] = MPI_Dist_graph_neighbors(graph);
    %   assert(isequal([sources, sourceweights, destinations, destweights], [last, 5, next, 6]))
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Dist_graph_neighbors', varargin{:});
end
