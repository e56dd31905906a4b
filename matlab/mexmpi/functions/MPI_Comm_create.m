function varargout = MPI_Comm_create(varargin)
    % MPI_Comm_create  -  A communicator of a group; all ranks call it.
    %
    %   newcomm = MPI_Comm_create(comm, group)
    %
    %   comm: a communicator
    %   group: a group
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   first = MPI_Comm_create(w, MPI_Group_incl(MPI_Comm_group(w), 0));
    %   if rank == 0
    %       assert(MPI_Comm_size(first) == 1)
    %       MPI_Comm_free(first)
    %   else
    %       assert(first == MPI_COMM_NULL)
    %   end

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_create', varargin{:});
end
