function varargout = MPI_Win_complete(varargin)
    % MPI_Win_complete  -  End what MPI_Win_start began.
    %
    %   MPI_Win_complete(win)
    %
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(1);
    %   world = MPI_Comm_group(w);
    %   MPI_Win_post(MPI_Group_incl(world, last), 0, win)
    %   MPI_Win_start(MPI_Group_incl(world, next), 0, win)
    %   MPI_Put(5, next, 0, win)
    %   MPI_Win_complete(win)
    %   MPI_Win_wait(win)
    %   assert(MPI_Win_load(win) == 5)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_complete', varargin{:});
end
