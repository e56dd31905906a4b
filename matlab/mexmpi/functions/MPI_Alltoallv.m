function varargout = MPI_Alltoallv(varargin)
    % MPI_Alltoallv  -  Each rank so many elements to each rank.
    %
    %   [y, recvcounts] = MPI_Alltoallv(x, sendcounts [, recvcounts [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   sendcounts: whole numbers, one for each rank
    %   recvcounts: whole numbers, one for each rank (default: none)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %   recvcounts (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = rank * ones(1, n * (n + 1) / 2);
    %   [y, counts] = MPI_Alltoallv(x, 1:n);
    %   assert(isequal(counts, (rank + 1) * ones(1, n)) && isequal(y(:), kron((0:n - 1)', ones(rank + 1, 1))))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Alltoallv', varargin{:});
end
