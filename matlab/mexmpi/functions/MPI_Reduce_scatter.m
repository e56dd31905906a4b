function varargout = MPI_Reduce_scatter(varargin)
    % MPI_Reduce_scatter  -  Arrays combined, then each rank so many elements of the result.
    %
    %   y = MPI_Reduce_scatter(x, counts [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Reduce_scatter(repelem(1:n, 1:n), 1:n, 'sum');
    %   assert(isequal(y(:), n * (rank + 1) * ones(rank + 1, 1)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Reduce_scatter', varargin{:});
end
