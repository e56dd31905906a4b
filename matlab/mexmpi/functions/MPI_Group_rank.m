function varargout = MPI_Group_rank(varargin)
    % MPI_Group_rank  -  Rank of this process in a group, or MPI_UNDEFINED.
    %
    %   rank = MPI_Group_rank(group)
    %
    %   group: a group
    %   rank (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Group_rank(MPI_Comm_group(w)) == rank)
    %   assert(MPI_Group_rank(MPI_GROUP_EMPTY) == MPI_UNDEFINED)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_rank', varargin{:});
end
