function varargout = MPI_Dist_graph_create(varargin)
    % MPI_Dist_graph_create  -  A graph of which each rank gives any edges.
    %
    %   newcomm = MPI_Dist_graph_create(comm, sources, degrees, destinations [, weights [, info [, reorder]]])
    %
    %   comm: a communicator
    %   sources: whole numbers
    %   degrees: whole numbers
    %   destinations: whole numbers
    %   weights: whole numbers (default: none)
    %   info: hints (default: MPI_INFO_NULL)
    %   reorder: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   graph = MPI_Dist_graph_create(w, rank, 1, next, 10);
    %   [sources, weights, destinations] = MPI_Dist_graph_neighbors(graph);
    %   assert(sources == last && destinations == next && weights == 10)
    %   MPI_Comm_free(graph)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Dist_graph_create', varargin{:});
end
