function varargout = MPI_Group_range_excl(varargin)
    % MPI_Group_range_excl  -  All but the processes of ranges.
    %
    %   newgroup = MPI_Group_range_excl(group, ranges)
    %
    %   group: a group
    %   ranges: rows of first, last, step
    %   newgroup (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   odd = MPI_Group_range_excl(MPI_Comm_group(w), [0, n - 1, 2]);
    %   assert(MPI_Group_size(odd) == floor(n / 2))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_range_excl', varargin{:});
end
