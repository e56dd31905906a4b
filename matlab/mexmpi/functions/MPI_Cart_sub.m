function varargout = MPI_Cart_sub(varargin)
    % MPI_Cart_sub  -  Communicators of the slices of a grid.
    %
    %   newcomm = MPI_Cart_sub(comm, remain)
    %
    %   comm: a communicator of MPI_Cart_create
    %   remain: whole numbers
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   grid = MPI_Cart_create(w, [1, n], [false, false]);
    %   column = MPI_Cart_sub(grid, [true, false]);
    %   assert(MPI_Comm_size(column) == 1)
    %   MPI_Comm_free(column)
    %   MPI_Comm_free(grid)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_sub', varargin{:});
end
