function varargout = MPI_Reduce_scatter_block(varargin)
    % MPI_Reduce_scatter_block  -  Arrays combined, then each rank an equal block of the result.
    %
    %   y = MPI_Reduce_scatter_block(x [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Reduce_scatter_block(1:2 * n), n * (2 * rank + [1, 2])))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Reduce_scatter_block', varargin{:});
end
