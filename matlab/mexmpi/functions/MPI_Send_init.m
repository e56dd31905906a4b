function varargout = MPI_Send_init(varargin)
    % MPI_Send_init  -  Prepare a send that is started many times.
    %
    %   request = MPI_Send_init(x, dest [, tag [, comm]])
    %
    %   x: any value but function handles and objects
    %   dest: the rank to send to, or MPI_PROC_NULL
    %   tag: a whole number from 0 to MPI_TAG_UB (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   send = MPI_Send_init(rank, next, 12);
    %   for k = 1:3
    %       receive = MPI_Irecv(last, 12);
    %       MPI_Start(send, rank + k)
    %       assert(MPI_Wait(receive) == last + k)
    %       MPI_Wait(send);
    %   end
    %   MPI_Request_free(send)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Send_init', varargin{:});
end
