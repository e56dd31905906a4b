function varargout = MPI_Group_incl(varargin)
    % MPI_Group_incl  -  The processes of these ranks.
    %
    %   newgroup = MPI_Group_incl(group, ranks)
    %
    %   group: a group
    %   ranks: whole numbers
    %   newgroup (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Group_rank(MPI_Group_incl(MPI_Comm_group(w), n - 1:-1:0)) == n - 1 - rank)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_incl', varargin{:});
end
