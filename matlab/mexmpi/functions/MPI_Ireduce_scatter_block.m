function varargout = MPI_Ireduce_scatter_block(varargin)
    % MPI_Ireduce_scatter_block  -  Begin a reduction whose result is dealt out in equal blocks.
    %
    %   request = MPI_Ireduce_scatter_block(x [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Wait(MPI_Ireduce_scatter_block(1:n)) == n * (rank + 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ireduce_scatter_block', varargin{:});
end
