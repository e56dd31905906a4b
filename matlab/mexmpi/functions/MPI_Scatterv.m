function varargout = MPI_Scatterv(varargin)
    % MPI_Scatterv  -  Each rank so many elements of a vector of rank root.
    %
    %   y = MPI_Scatterv(x [, counts [, root [, comm]]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank (default: none)
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = repelem(1:n, 1:n);                     % 1 2 2 3 3 3 ...
    %   y = MPI_Scatterv(x, 1:n, 0);
    %   assert(isequal(y(:), (rank + 1) * ones(rank + 1, 1)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Scatterv', varargin{:});
end
