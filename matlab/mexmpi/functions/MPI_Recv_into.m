function varargout = MPI_Recv_into(varargin)
    % MPI_Recv_into  -  Receive into the variable of that name, in place; with a datatype, raw data.
    %
    %   status = MPI_Recv_into(name [, source [, tag [, comm [, type [, count]]]]])
    %
    %   name: a text
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   type: a datatype (default: none)
    %   count: a whole number (default: any, or as many as fit)
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % An addition of mexmpi's.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = zeros(1, 1000);
    %   y = x;
    %   request = MPI_Isend(rank + (1:1000), next, 5);
    %   status = MPI_Recv_into('x', last, 5);
    %   assert(isequal(x, last + (1:1000)) && status.count == 1000)
    %   assert(~any(y))                          % y, which has shared its memory with x, is as it was
    %   MPI_Wait(request);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Recv_into', varargin{:});
end
