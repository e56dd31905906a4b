function varargout = MPI_Win_start(varargin)
    % MPI_Win_start  -  Begin to write into the windows of a group.
    %
    %   MPI_Win_start(group, assertion, win)
    %
    %   group: a group
    %   assertion: a whole number (default: 0)
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(rank);
    %   world = MPI_Comm_group(w);
    %   MPI_Win_post(MPI_Group_incl(world, last), 0, win)
    %   MPI_Win_start(MPI_Group_incl(world, next), 0, win)
    %   request = MPI_Get(1, next, 0, win);
    %   MPI_Win_complete(win)
    %   MPI_Win_wait(win)
    %   assert(MPI_Wait(request) == next)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_start', varargin{:});
end
