function varargout = MPI_Win_set_name(varargin)
    % MPI_Win_set_name  -  Name a window.
    %
    %   MPI_Win_set_name(win, name)
    %
    %   win: a window
    %   name: a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   MPI_Win_set_name(win, 'table')
    %   assert(strcmp(MPI_Win_get_name(win), 'table'))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_set_name', varargin{:});
end
