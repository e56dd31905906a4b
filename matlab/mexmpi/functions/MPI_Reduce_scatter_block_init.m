function varargout = MPI_Reduce_scatter_block_init(varargin)
    % MPI_Reduce_scatter_block_init  -  Prepare a reduction dealt out in equal blocks.
    %
    %   request = MPI_Reduce_scatter_block_init(x [, op [, comm [, info]]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Reduce_scatter_block_init(1:n);
    %   MPI_Start(request)
    %   assert(MPI_Wait(request) == n * (rank + 1))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Reduce_scatter_block_init', varargin{:});
end
