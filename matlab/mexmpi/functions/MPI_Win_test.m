function varargout = MPI_Win_test(varargin)
    % MPI_Win_test  -  Has ended what MPI_Win_post began?.
    %
    %   flag = MPI_Win_test(win)
    %
    %   win: a window
    %   flag (output): true or false
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(1);
    %   world = MPI_Comm_group(w);
    %   MPI_Win_post(MPI_Group_incl(world, last), 0, win)
    %   MPI_Win_start(MPI_Group_incl(world, next), 0, win)
    %   MPI_Put(7, next, 0, win)
    %   MPI_Win_complete(win)
    %   while ~MPI_Win_test(win)
    %   end
    %   assert(MPI_Win_load(win) == 7)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_test', varargin{:});
end
