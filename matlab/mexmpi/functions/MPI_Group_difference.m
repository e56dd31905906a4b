function varargout = MPI_Group_difference(varargin)
    % MPI_Group_difference  -  Processes of the first group that are not in the second.
    %
    %   newgroup = MPI_Group_difference(group, other)
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
    %   assert(MPI_Group_size(MPI_Group_difference(group, MPI_Group_incl(group, 0))) == n - 1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_difference', varargin{:});
end
