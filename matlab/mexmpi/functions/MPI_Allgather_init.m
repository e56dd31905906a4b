function varargout = MPI_Allgather_init(varargin)
    % MPI_Allgather_init  -  Prepare an allgather.
    %
    %   request = MPI_Allgather_init(x [, comm [, info]])
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
    %   request = MPI_Allgather_init(rank);
    %   MPI_Start(request)
    %   assert(isequal(MPI_Wait(request), 0:n - 1))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allgather_init', varargin{:});
end
