function varargout = MPI_Ibsend(varargin)
    % MPI_Ibsend  -  Begin to send through the attached buffer.
    %
    %   request = MPI_Ibsend(x, dest [, tag [, comm]])
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
    %   request = MPI_Ibsend(rank, next, 8);
    %   assert(MPI_Recv(last, 8) == last)
    %   MPI_Wait(request);
    %   MPI_Buffer_detach();

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ibsend', varargin{:});
end
