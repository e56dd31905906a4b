function varargout = MPI_Group_intersection(varargin)
    % MPI_Group_intersection  -  Processes of both groups.
    %
    %   newgroup = MPI_Group_intersection(group, other)
    %
    %   group: a group
    %   other: a group
    %   newgroup (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   group = MPI_Comm_group(w);
    %   assert(MPI_Group_size(MPI_Group_intersection(group, MPI_Group_incl(group, n - 1))) == 1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_intersection', varargin{:});
end
