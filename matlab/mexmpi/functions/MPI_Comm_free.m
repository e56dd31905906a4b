function varargout = MPI_Comm_free(varargin)
    % MPI_Comm_free  -  Let go of a communicator.
    %
    %   MPI_Comm_free(comm)
    %
    %   comm: a communicator; no more one after the call
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   MPI_Comm_free(copy)
    %   assert(strcmp(failure(@() MPI_Comm_size(copy)), 'mpi:ERR_COMM'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_free', varargin{:});
end
