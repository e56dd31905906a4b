function varargout = MPI_Cart_rank(varargin)
    % MPI_Cart_rank  -  Rank at a place of the grid.
    %
    %   rank = MPI_Cart_rank(comm, coords)
    %
    %   comm: a communicator of MPI_Cart_create
    %   coords: whole numbers
    %   rank (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   grid = MPI_Cart_create(w, [1, n], [false, true]);
    %   assert(MPI_Cart_rank(grid, [0, n - 1]) == n - 1 && MPI_Cart_rank(grid, [0, -1]) == n - 1)
    %   MPI_Comm_free(grid)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_rank', varargin{:});
end
