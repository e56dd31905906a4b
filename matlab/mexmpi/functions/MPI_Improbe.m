function varargout = MPI_Improbe(varargin)
    % MPI_Improbe  -  Take hold of a message if one is there.
    %
    %   [flag, message, status] = MPI_Improbe([source [, tag [, comm]]])
    %
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   flag (output): true or false
    %   message (output): for MPI_Mrecv or MPI_Imrecv
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend('held', next, 22);
    %   flag = false;
    %   while ~flag
    %       [flag, message, status] = MPI_Improbe(last, 22);
    %   end
    %   assert(strcmp(MPI_Mrecv(message), 'held') && status.tag == 22)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Improbe', varargin{:});
end
