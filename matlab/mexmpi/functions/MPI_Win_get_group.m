function varargout = MPI_Win_get_group(varargin)
    % MPI_Win_get_group  -  Group of a window.
    %
    %   group = MPI_Win_get_group(win)
    %
    %   win: a window
    %   group (output): a group
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   assert(MPI_Group_size(MPI_Win_get_group(win)) == n)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_get_group', varargin{:});
end
