function varargout = MPI_Scan_init(varargin)
    % MPI_Scan_init  -  Prepare a reduction over the ranks up to this one.
    %
    %   request = MPI_Scan_init(x [, op [, comm [, info]]])
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
    %   request = MPI_Scan_init(2);
    %   MPI_Start(request)
    %   assert(MPI_Wait(request) == 2 * (rank + 1))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Scan_init', varargin{:});
end
