function varargout = MPI_Allreduce_init(varargin)
    % MPI_Allreduce_init  -  Prepare a reduction to every rank.
    %
    %   request = MPI_Allreduce_init(x [, op [, comm [, info]]])
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
    %   request = MPI_Allreduce_init(0, 'max');
    %   MPI_Start(request, rank + 3)
    %   assert(MPI_Wait(request) == n + 2)
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allreduce_init', varargin{:});
end
