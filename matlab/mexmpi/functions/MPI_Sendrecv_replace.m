function varargout = MPI_Sendrecv_replace(varargin)
    % MPI_Sendrecv_replace  -  Send an array and receive one of the same class and number of elements.
    %
    %   [x, status] = MPI_Sendrecv_replace(x, dest [, sendtag [, source [, recvtag [, comm]]]])
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
    %   x = MPI_Sendrecv_replace(rank + [1 2 3], next, 6, last, 6);
    %   assert(isequal(x, last + [1 2 3]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Sendrecv_replace', varargin{:});
end
