function varargout = MPI_Cart_create(varargin)
    % MPI_Cart_create  -  A communicator whose ranks form a grid.
    %
    %   newcomm = MPI_Cart_create(comm, dims, periods [, reorder])
    %
    %   comm: a communicator
    %   dims: whole numbers
    %   periods: whole numbers
    %   reorder: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   grid = MPI_Cart_create(w, [1, n], [false, true]);
    %   assert(MPI_Topo_test(grid) == MPI_CART && MPI_Comm_size(grid) == n)
    %   MPI_Comm_free(grid)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_create', varargin{:});
end
