function varargout = MPI_Allgatherv_init(varargin)
    % MPI_Allgatherv_init  -  Prepare an allgather of different lengths.
    %
    %   request = MPI_Allgatherv_init(x, counts [, comm [, info]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   info: hints (default: MPI_INFO_NULL)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 4.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Allgatherv_init(rank * ones(rank + 1, 1), 1:n);
    %   MPI_Start(request)
    %   assert(isequal(MPI_Wait(request)', repelem(1:n, 1:n) - 1))
    %   MPI_Request_free(request)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allgatherv_init', varargin{:});
end
