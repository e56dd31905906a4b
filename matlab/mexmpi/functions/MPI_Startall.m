function varargout = MPI_Startall(varargin)
    % MPI_Startall  -  Start several prepared operations.
    %
    %   MPI_Startall(requests)
    %
    %   requests: an array of requests
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   both = [MPI_Send_init(rank, next, 18), MPI_Recv_init(0, last, 18)];
    %   MPI_Startall(both)
    %   values = MPI_Waitall(both);
    %   assert(values{2} == last)
    %   MPI_Request_free(both(1))
    %   MPI_Request_free(both(2))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Startall', varargin{:});
end
