function varargout = MPI_Group_range_incl(varargin)
    % MPI_Group_range_incl  -  The processes of ranges; rows of first, last, step.
    %
    %   newgroup = MPI_Group_range_incl(group, ranges)
    %
    %   group: a group
    %   ranges: rows of first, last, step
    %   newgroup (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   even = MPI_Group_range_incl(MPI_Comm_group(w), [0, n - 1, 2]);
    %   assert(MPI_Group_size(even) == ceil(n / 2))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_range_incl', varargin{:});
end
