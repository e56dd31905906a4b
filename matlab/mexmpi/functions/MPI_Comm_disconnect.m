function varargout = MPI_Comm_disconnect(varargin)
    % MPI_Comm_disconnect  -  Wait for all messages, then let go of a communicator.
    %
    %   MPI_Comm_disconnect(comm)
    %
    %   comm: a communicator; no more one after the call
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   MPI_Comm_disconnect(copy)
    %   assert(strcmp(failure(@() MPI_Comm_rank(copy)), 'mpi:ERR_COMM'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_disconnect', varargin{:});
end
