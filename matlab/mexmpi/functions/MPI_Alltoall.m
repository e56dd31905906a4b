function varargout = MPI_Alltoall(varargin)
    % MPI_Alltoall  -  Each rank a block (or cell element) to each rank.
    %
    %   y = MPI_Alltoall(x [, comm])
    %
    %   x: any value but function handles and objects
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Alltoall(10 * rank + (1:n));
    %   assert(isequal(y, 10 * (0:n - 1) + rank + 1))
    %   y = MPI_Alltoall(repmat({rank}, 1, n));
    %   assert(isequal(y, num2cell(0:n - 1)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Alltoall', varargin{:});
end
