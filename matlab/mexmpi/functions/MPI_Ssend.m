function varargout = MPI_Ssend(varargin)
    % MPI_Ssend  -  Send; returns when the receiver has begun to receive.
    %
    %   MPI_Ssend(x, dest [, tag [, comm [, type [, count]]]])
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
    %   request = MPI_Irecv(last, 2);
    %   MPI_Ssend('synchronous', next, 2)
    %   assert(strcmp(MPI_Wait(request), 'synchronous'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ssend', varargin{:});
end
