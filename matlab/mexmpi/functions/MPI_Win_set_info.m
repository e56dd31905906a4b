function varargout = MPI_Win_set_info(varargin)
    % MPI_Win_set_info  -  Give a window hints.
    %
    %   MPI_Win_set_info(win, info)
    %
    %   win: a window
    %   info: hints
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   MPI_Win_set_info(win, MPI_Info_create())
    %   assert(strcmp(failure(@() MPI_Win_set_info(win, 0)), 'mpi:badInput'))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_set_info', varargin{:});
end
