function varargout = MPI_Win_get_name(varargin)
    % MPI_Win_get_name  -  Name of a window.
    %
    %   name = MPI_Win_get_name(win)
    %
    %   win: a window
    %   name (output): a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   MPI_Win_set_name(win, 'other')
    %   assert(strcmp(MPI_Win_get_name(win), 'other'))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_get_name', varargin{:});
end
