function varargout = MPI_Exscan_init(varargin)
    % MPI_Exscan_init  -  Prepare a reduction over the ranks before this one.
    %
    %   request = MPI_Exscan_init(x [, op [, comm [, info]]])
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
    %   request = MPI_Exscan_init(2);
    %   MPI_Start(request)
    %   y = MPI_Wait(request);
    %   assert(rank == 0 && isempty(y) || y == 2 * rank)
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Exscan_init', varargin{:});
end
