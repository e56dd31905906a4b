function varargout = MPI_Scatter_init(varargin)
    % MPI_Scatter_init  -  Prepare a scatter.
    %
    %   request = MPI_Scatter_init(x [, root [, comm [, info]]])
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
    %   x = 0;
    %   if rank == 0
    %       x = 1:n;
    %   end
    %   request = MPI_Scatter_init(x, 0);
    %   MPI_Start(request)
    %   assert(MPI_Wait(request) == rank + 1)
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Scatter_init', varargin{:});
end
