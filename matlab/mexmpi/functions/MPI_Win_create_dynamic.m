function varargout = MPI_Win_create_dynamic(varargin)
    % MPI_Win_create_dynamic  -  A window to which memory is attached later.
    %
    %   win = MPI_Win_create_dynamic([info [, comm]])
    %
    %   info: hints (default: MPI_INFO_NULL)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   win (output): a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create_dynamic();
    %   region = MPI_Win_attach(win, [10; 20; 30]);
    %   regions = MPI_Allgather(region(:));
    %   MPI_Win_lock_all(0, win)
    %   request = MPI_Get(3, next, regions(:, next + 1), win);
    %   MPI_Win_flush(next, win)
    %   assert(isequal(MPI_Wait(request), [10; 20; 30]))
    %   MPI_Win_unlock_all(win)
    %   MPI_Barrier()
    %   MPI_Win_detach(win, region)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_create_dynamic', varargin{:});
end
