function varargout = MPI_Bsend(varargin)
    % MPI_Bsend  -  Send through the buffer of MPI_Buffer_attach.
    %
    %   MPI_Bsend(x, dest [, tag [, comm [, type [, count]]]])
    %
    %   x: any value but function handles and objects
    %   dest: the rank to send to, or MPI_PROC_NULL
    %   tag: a whole number from 0 to MPI_TAG_UB (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   type: a datatype (default: none)
    %   count: a whole number (default: any, or as many as fit)
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Buffer_attach(10000)
    %   MPI_Bsend(rank, next, 1)
    %   assert(MPI_Recv(last, 1) == last)
    %   MPI_Buffer_detach();

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Bsend', varargin{:});
end
