function varargout = MPI_Cartdim_get(varargin)
    % MPI_Cartdim_get  -  Number of dimensions of a grid.
    %
    %   ndims = MPI_Cartdim_get(comm)
    %
    %   comm: a communicator of MPI_Cart_create
    %   ndims (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   grid = MPI_Cart_create(w, [1, n, 1], [0, 0, 0]);
    %   assert(MPI_Cartdim_get(grid) == 3)
    %   MPI_Comm_free(grid)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cartdim_get', varargin{:});
end
