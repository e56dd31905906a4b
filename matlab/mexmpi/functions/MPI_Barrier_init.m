function varargout = MPI_Barrier_init(varargin)
    % MPI_Barrier_init  -  Prepare a barrier; MPI_Start begins it.
    %
    %   request = MPI_Barrier_init([comm [, info]])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Barrier_init();
    %   MPI_Start(request)
    %   MPI_Wait(request);
    %   assert(strcmp(failure(@() MPI_Start(MPI_REQUEST_NULL)), 'mpi:ERR_REQUEST'))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Barrier_init', varargin{:});
end
