function varargout = MPI_Comm_group(varargin)
    % MPI_Comm_group  -  The group of a communicator.
    %
    %   group = MPI_Comm_group([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   group (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   group = MPI_Comm_group(w);
    %   assert(MPI_Group_size(group) == n)
    %   MPI_Group_free(group)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_group', varargin{:});
end
