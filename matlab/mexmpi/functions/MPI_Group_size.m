function varargout = MPI_Group_size(varargin)
    % MPI_Group_size  -  Number of processes of a group.
    %
    %   size = MPI_Group_size(group)
    %
    %   group: a group
    %   size (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Group_size(MPI_Comm_group(MPI_COMM_SELF)) == 1 && MPI_Group_size(MPI_GROUP_EMPTY) == 0)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_size', varargin{:});
end
