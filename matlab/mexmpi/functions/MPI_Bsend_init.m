function varargout = MPI_Bsend_init(varargin)
    % MPI_Bsend_init  -  Prepare a buffered send that is started many times.
    %
    %   request = MPI_Bsend_init(x, dest [, tag [, comm]])
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
    %   MPI_Buffer_attach(10000)
    %   send = MPI_Bsend_init(rank, next, 13);
    %   MPI_Start(send)
    %   assert(MPI_Recv(last, 13) == last)
    %   MPI_Wait(send);
    %   MPI_Request_free(send)
    %   MPI_Buffer_detach();

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Bsend_init', varargin{:});
end
