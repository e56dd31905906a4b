function varargout = MPI_Recv(varargin)
    % MPI_Recv  -  Receive a value; waits until it is there.
    %
    %   [x, status] = MPI_Recv([source [, tag [, comm]]])
    %
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(struct('from', rank), next, 4);
    %   [x, status] = MPI_Recv('*', 4);
    %   assert(x.from == last && status.source == last && status.tag == 4)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Recv', varargin{:});
end
