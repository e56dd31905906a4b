function varargout = MPI_Allgatherv(varargin)
    % MPI_Allgatherv  -  Arrays of any length of all ranks as one vector on every rank.
    %
    %   [y, counts] = MPI_Allgatherv(x [, counts [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank (default: none)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %   counts (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [y, counts] = MPI_Allgatherv(rank * ones(rank, 1));
    %   assert(isequal(counts, 0:n - 1) && isequal(y(:), reshape(repelem(0:n - 1, 0:n - 1), [], 1)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allgatherv', varargin{:});
end
