function varargout = MPI_Win_get_info(varargin)
    % MPI_Win_get_info  -  Hints of a window.
    %
    %   info = MPI_Win_get_info(win)
    %
    %   win: a window
    %   info (output): hints
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   assert(MPI_Info_get_nkeys(MPI_Win_get_info(win)) >= 0)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_get_info', varargin{:});
end
