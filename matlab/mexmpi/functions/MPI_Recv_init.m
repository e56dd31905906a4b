function varargout = MPI_Recv_init(varargin)
    % MPI_Recv_init  -  Prepare a receive that is started many times, of values as large as x.
    %
    %   request = MPI_Recv_init(x [, source [, tag [, comm]]])
    %
    %   x: any value but function handles and objects
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   receive = MPI_Recv_init(zeros(1, 10), last, 16);
    %   for k = 1:2
    %       MPI_Start(receive)
    %       MPI_Isend(k * ones(1, 10), next, 16);
    %       [x, status] = MPI_Wait(receive);
    %       assert(isequal(x, k * ones(1, 10)) && status.count == 10)
    %   end
    %   MPI_Request_free(receive)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Recv_init', varargin{:});
end
