function varargout = MPI_Cart_get(varargin)
    % MPI_Cart_get  -  Grid of a communicator and the place of this rank.
    %
    %   [dims, periods, coords] = MPI_Cart_get(comm)
    %
    %   comm: a communicator of MPI_Cart_create
    %   dims (output): numbers, one for each dimension
    %   periods (output): numbers, one for each dimension
    %   coords (output): numbers, one for each dimension
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   grid = MPI_Cart_create(w, [1, n], [false, true]);
    %   [dims, periods, coords] = MPI_Cart_get(grid);
    %   assert(isequal(dims, [1, n]) && isequal(periods, [0, 1]) && isequal(coords, [0, rank]))
    %   MPI_Comm_free(grid)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_get', varargin{:});
end
