function varargout = MPI_Rsend(varargin)
    % MPI_Rsend  -  Send; the receiver must wait already.
    %
    %   MPI_Rsend(x, dest [, tag [, comm [, type [, count]]]])
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
    %   request = MPI_Irecv(last, 3, w, 100);
    %   MPI_Barrier()                            % all receives are posted
    %   MPI_Rsend(rank + 0.5, next, 3)
    %   assert(MPI_Wait(request) == last + 0.5)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Rsend', varargin{:});
end
