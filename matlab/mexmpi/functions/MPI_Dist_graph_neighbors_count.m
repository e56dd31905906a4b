function varargout = MPI_Dist_graph_neighbors_count(varargin)
    % MPI_Dist_graph_neighbors_count  -  How many edges come and go.
    %
    %   [indegree, outdegree, weighted] = MPI_Dist_graph_neighbors_count(comm)
    %
    %   comm: a communicator of MPI_Dist_graph_create
    %   indegree (output): a number
    %   outdegree (output): a number
    %   weighted (output): true or false
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Dist_graph_create_adjacent(w, [last, last], [1, 2], [next, next], [1, 2]);
    %   [indegree, outdegree, weighted] = MPI_Dist_graph_neighbors_count(graph);
    %   assert(indegree == 2 && outdegree == 2 && weighted)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Dist_graph_neighbors_count', varargin{:});
end
