function varargout = MPI_Comm_idup(varargin)
    % MPI_Comm_idup  -  Begin to duplicate a communicator.
    %
    %   [request, newcomm] = MPI_Comm_idup([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %   newcomm (output): a communicator
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [request, copy] = MPI_Comm_idup(w);
    %   MPI_Wait(request);
    %   assert(MPI_Comm_compare(w, copy) == MPI_CONGRUENT)
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_idup', varargin{:});
end
