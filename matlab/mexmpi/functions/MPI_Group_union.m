function varargout = MPI_Group_union(varargin)
    % MPI_Group_union  -  Processes of either group.
    %
    %   newgroup = MPI_Group_union(group, other)
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
    %   both = MPI_Group_union(MPI_Group_incl(group, 0), MPI_Group_incl(group, n - 1));
    %   assert(MPI_Group_size(both) == min(2, n))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_union', varargin{:});
end
