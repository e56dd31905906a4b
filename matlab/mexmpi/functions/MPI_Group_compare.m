function varargout = MPI_Group_compare(varargin)
    % MPI_Group_compare  -  Are two groups MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL?.
    %
    %   result = MPI_Group_compare(group, other)
    %
    %   group: a group
    %   other: a group
    %   result (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   group = MPI_Comm_group(w);
    %   assert(MPI_Group_compare(group, MPI_Group_incl(group, 0:n - 1)) == MPI_IDENT)
    %   assert(MPI_Group_compare(group, MPI_GROUP_EMPTY) == MPI_UNEQUAL)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_compare', varargin{:});
end
