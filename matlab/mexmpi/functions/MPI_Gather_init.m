function varargout = MPI_Gather_init(varargin)
    % MPI_Gather_init  -  Prepare a gather.
    %
    %   request = MPI_Gather_init(x [, root [, comm [, info]]])
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
    %   request = MPI_Gather_init(rank, 0);
    %   MPI_Start(request)
    %   y = MPI_Wait(request);
    %   assert(rank > 0 && isempty(y) || isequal(y, 0:n - 1))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Gather_init', varargin{:});
end
