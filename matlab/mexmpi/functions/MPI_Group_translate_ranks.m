function varargout = MPI_Group_translate_ranks(varargin)
    % MPI_Group_translate_ranks  -  Ranks of one group in another.
    %
    %   ranks2 = MPI_Group_translate_ranks(group, ranks, other)
    %
    %   group: a group
    %   ranks: whole numbers
    %   other: a group
    %   ranks2 (output): numbers
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   turned = MPI_Group_incl(MPI_Comm_group(w), n - 1:-1:0);
    %   assert(isequal(MPI_Group_translate_ranks(turned, [0, n - 1], MPI_Comm_group(w)), [n - 1, 0]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_translate_ranks', varargin{:});
end
