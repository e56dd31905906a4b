function varargout = MPI_Irsend(varargin)
    % MPI_Irsend  -  Begin to send; the receiver must wait already.
    %
    %   request = MPI_Irsend(x, dest [, tag [, comm]])
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
    %   receive = MPI_Irecv(last, 10, w, 100);
    %   MPI_Barrier()
    %   send = MPI_Irsend(rank, next, 10);
    %   values = MPI_Waitall([receive, send]);
    %   assert(values{1} == last)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Irsend', varargin{:});
end
