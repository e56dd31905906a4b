function varargout = MPI_Cart_coords(varargin)
    % MPI_Cart_coords  -  Place of a rank in the grid.
    %
    %   coords = MPI_Cart_coords(comm, rank)
    %
    %   comm: a communicator of MPI_Cart_create
    %   rank: a whole number
    %   coords (output): numbers, one for each dimension
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   grid = MPI_Cart_create(w, [1, n], [false, true]);
    %   assert(isequal(MPI_Cart_coords(grid, n - 1), [0, n - 1]))
    %   MPI_Comm_free(grid)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_coords', varargin{:});
end
