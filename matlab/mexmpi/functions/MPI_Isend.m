function varargout = MPI_Isend(varargin)
    % MPI_Isend  -  Begin to send a copy of a value.
    %
    %   request = MPI_Isend(x, dest [, tag [, comm]])
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
    %   request = MPI_Isend(uint8(rank), next, 8);
    %   assert(isequal(MPI_Recv(last, 8), uint8(last)))
    %   MPI_Wait(request);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Isend', varargin{:});
end
