function varargout = MPI_Alltoall_init(varargin)
    % MPI_Alltoall_init  -  Prepare an exchange of equal blocks.
    %
    %   request = MPI_Alltoall_init(x [, comm [, info]])
    %
    %   x: a full numeric, logical or char array
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Alltoall_init(10 * rank + (1:n));
    %   MPI_Start(request)
    %   assert(isequal(MPI_Wait(request), 10 * (0:n - 1) + rank + 1))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Alltoall_init', varargin{:});
end
