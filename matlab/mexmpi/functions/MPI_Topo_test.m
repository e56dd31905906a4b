function varargout = MPI_Topo_test(varargin)
    % MPI_Topo_test  -  MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH or MPI_UNDEFINED.
    %
    %   topology = MPI_Topo_test(comm)
    %
    %   comm: a communicator
    %   topology (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Topo_test(w) == MPI_UNDEFINED)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Topo_test', varargin{:});
end
