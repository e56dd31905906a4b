function varargout = MPI_Comm_dup(varargin)
    % MPI_Comm_dup  -  A communicator of the same ranks with messages of its own.
    %
    %   newcomm = MPI_Comm_dup([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   MPI_Isend('in the copy', next, 50, copy);
    %   MPI_Isend('in the world', next, 50, w);
    %   assert(strcmp(MPI_Recv(last, 50, w), 'in the world') && strcmp(MPI_Recv(last, 50, copy), 'in the copy'))
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_dup', varargin{:});
end
