function varargout = MPI_Iprobe(varargin)
    % MPI_Iprobe  -  Is a message there?.
    %
    %   [flag, status] = MPI_Iprobe([source [, tag [, comm]]])
    %
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   flag (output): true or false
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(~MPI_Iprobe(last, 20))
    %   MPI_Barrier()
    %   MPI_Isend(1, next, 20);
    %   MPI_Probe(last, 20);
    %   [flag, status] = MPI_Iprobe('*', 20);
    %   assert(flag && status.source == last)
    %   MPI_Recv(last, 20);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iprobe', varargin{:});
end
