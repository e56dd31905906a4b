function varargout = MPI_Sendrecv(varargin)
    % MPI_Sendrecv  -  Send one value and receive another; cannot deadlock.
    %
    %   [x, status] = MPI_Sendrecv(x, dest [, sendtag [, source [, recvtag [, comm]]]])
    %
    %   x: any value but function handles and objects
    %   dest: the rank to send to, or MPI_PROC_NULL
    %   sendtag: a whole number from 0 to MPI_TAG_UB (default: 0)
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   recvtag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [x, status] = MPI_Sendrecv(rank * ones(200), next, 6, last, 6);
    %   assert(isequal(x, last * ones(200)) && status.source == last)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Sendrecv', varargin{:});
end
