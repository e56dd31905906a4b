function varargout = MPI_Reduce_init(varargin)
    % MPI_Reduce_init  -  Prepare a reduction to rank root.
    %
    %   request = MPI_Reduce_init(x [, op [, root [, comm [, info]]]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Reduce_init(rank, 'sum', 0);
    %   MPI_Start(request)
    %   y = MPI_Wait(request);
    %   assert(rank > 0 && isempty(y) || y == n * (n - 1) / 2)
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Reduce_init', varargin{:});
end
