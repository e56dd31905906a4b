function varargout = MPI_Win_set_attr(varargin)
    % MPI_Win_set_attr  -  Attach a value to a window.
    %
    %   MPI_Win_set_attr(win, keyval, x)
    %
    %   win: a window
    %   keyval: a whole number
    %   x: any value but function handles and objects
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Win_create_keyval();
    %   win = MPI_Win_create(1:3);
    %   MPI_Win_set_attr(win, key, 7)
    %   assert(MPI_Win_get_attr(win, key) == 7)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_set_attr', varargin{:});
end
