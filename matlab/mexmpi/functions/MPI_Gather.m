function varargout = MPI_Gather(varargin)
    % MPI_Gather  -  Values of all ranks on rank root: arrays stacked behind their last dimension, else a cell.
    %
    %   y = MPI_Gather(x [, root [, comm]])
    %
    %   x: any value but function handles and objects
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Gather([rank; 2 * rank], 0);
    %   if rank == 0
    %       assert(isequal(y, [0:n - 1; 2 * (0:n - 1)]))
    %   else
    %       assert(isempty(y))
    %   end
    %   y = MPI_Gather(repmat('x', 1, rank + 1), 0);     % not all alike: a cell
    %   assert(rank > 0 || n == 1 || isequal(y{n}, repmat('x', 1, n)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Gather', varargin{:});
end
