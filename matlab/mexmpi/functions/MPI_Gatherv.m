function varargout = MPI_Gatherv(varargin)
    % MPI_Gatherv  -  Arrays of any length of all ranks as one vector on rank root.
    %
    %   [y, counts] = MPI_Gatherv(x [, counts [, root [, comm]]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank (default: none)
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %   counts (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [y, counts] = MPI_Gatherv(rank * ones(1, rank + 1), [], 0);
    %   if rank == 0
    %       assert(isequal(counts, 1:n) && y(end) == n - 1 && numel(y) == n * (n + 1) / 2)
    %   end

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Gatherv', varargin{:});
end
