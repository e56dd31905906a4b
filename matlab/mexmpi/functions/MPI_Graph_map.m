function varargout = MPI_Graph_map(varargin)
    % MPI_Graph_map  -  Rank that this process would best have in a graph.
    %
    %   rank = MPI_Graph_map(comm, index, edges)
    %
    %   comm: a communicator
    %   index: whole numbers
    %   edges: whole numbers
    %   rank (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   place = MPI_Graph_map(w, 1:n, mod(1:n, n));
    %   assert(isequal(sort(MPI_Allgather(place)), 0:n - 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Graph_map', varargin{:});
end
