function varargout = MPI_Scatter(varargin)
    % MPI_Scatter  -  Each rank its block of an array (along the last dimension), or its element of a cell, of rank root.
    %
    %   y = MPI_Scatter(x [, root [, comm]])
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
    %   x = [];
    %   if rank == 0
    %       x = [1:n; 11:10 + n];
    %   end
    %   assert(isequal(MPI_Scatter(x, 0), [rank + 1; rank + 11]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Scatter', varargin{:});
end
