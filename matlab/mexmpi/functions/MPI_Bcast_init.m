function varargout = MPI_Bcast_init(varargin)
    % MPI_Bcast_init  -  Prepare a broadcast.
    %
    %   request = MPI_Bcast_init(x [, root [, comm [, info]]])
    %
    %   x: a full numeric, logical or char array
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Bcast_init([rank rank], 0);
    %   for k = 1:2
    %       MPI_Start(request, (rank + k) * [1 1])   % new data of the same class and size
    %       assert(isequal(MPI_Wait(request), [k k]))
    %   end
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Bcast_init', varargin{:});
end
