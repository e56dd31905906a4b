function varargout = MPI_Issend(varargin)
    % MPI_Issend  -  Begin to send; complete when the receiver has begun to receive.
    %
    %   request = MPI_Issend(x, dest [, tag [, comm]])
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
    %   request = MPI_Issend(rank, next, 9);
    %   assert(~MPI_Test(request) || n > 1)      % nobody has received it
    %   assert(MPI_Recv(last, 9) == last)
    %   MPI_Wait(request);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Issend', varargin{:});
end
