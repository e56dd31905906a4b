function varargout = MPI_Mprobe(varargin)
    % MPI_Mprobe  -  Wait for a message and take hold of it.
    %
    %   [message, status] = MPI_Mprobe([source [, tag [, comm]]])
    %
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   message (output): for MPI_Mrecv or MPI_Imrecv
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend('held', next, 21);
    %   [message, status] = MPI_Mprobe('*', 21);
    %   assert(status.source == last && ~MPI_Iprobe(last, 21))
    %   assert(strcmp(MPI_Mrecv(message), 'held'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Mprobe', varargin{:});
end
