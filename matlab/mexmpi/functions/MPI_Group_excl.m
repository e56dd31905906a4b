function varargout = MPI_Group_excl(varargin)
    % MPI_Group_excl  -  All but the processes of these ranks.
    %
    %   newgroup = MPI_Group_excl(group, ranks)
    %
    %   group: a group
    %   ranks: whole numbers
    %   newgroup (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   rest = MPI_Group_excl(MPI_Comm_group(w), 0);
    %   assert(MPI_Group_size(rest) == n - 1 && (rank > 0 || MPI_Group_rank(rest) == MPI_UNDEFINED))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_excl', varargin{:});
end
