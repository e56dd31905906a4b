function varargout = MPI_Rsend_init(varargin)
    % MPI_Rsend_init  -  Prepare a ready send that is started many times.
    %
    %   request = MPI_Rsend_init(x, dest [, tag [, comm]])
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
    %   send = MPI_Rsend_init(rank, next, 15);
    %   receive = MPI_Irecv(last, 15, w, 100);
    %   MPI_Barrier()
    %   MPI_Start(send)
    %   assert(MPI_Wait(receive) == last)
    %   MPI_Wait(send);
    %   MPI_Request_free(send)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Rsend_init', varargin{:});
end
