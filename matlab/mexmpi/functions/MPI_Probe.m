function varargout = MPI_Probe(varargin)
    % MPI_Probe  -  Wait until a message is there, and say whose and how large.
    %
    %   status = MPI_Probe([source [, tag [, comm]]])
    %
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(1:10, next, 19);
    %   status = MPI_Probe('*', 19);
    %   assert(status.source == last && status.bytes >= 80)
    %   assert(isequal(MPI_Recv(status.source, status.tag), 1:10))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Probe', varargin{:});
end
