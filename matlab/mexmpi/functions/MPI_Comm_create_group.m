function varargout = MPI_Comm_create_group(varargin)
    % MPI_Comm_create_group  -  A communicator of a group; only its ranks call it.
    %
    %   newcomm = MPI_Comm_create_group(comm, group [, tag])
    %
    %   comm: a communicator
    %   group: a group
    %   tag: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if rank == 0
    %       alone = MPI_Comm_create_group(w, MPI_Group_incl(MPI_Comm_group(w), 0), 5);
    %       assert(MPI_Comm_size(alone) == 1)
    %       MPI_Comm_free(alone)
    %   end

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_create_group', varargin{:});
end
