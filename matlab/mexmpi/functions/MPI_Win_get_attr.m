function varargout = MPI_Win_get_attr(varargin)
    % MPI_Win_get_attr  -  The value of a key, and whether there is one.
    %
    %   [x, flag] = MPI_Win_get_attr(win, keyval)
    %
    %   win: a window
    %   keyval: a whole number
    %   x (output): the value
    %   flag (output): true or false
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Win_create_keyval();
    %   win = MPI_Win_create(1:3);
    %   [x, flag] = MPI_Win_get_attr(win, key);
    %   assert(isempty(x) && isequal(flag, false))
    %   MPI_Win_set_attr(win, key, 'grid')
    %   [x, flag] = MPI_Win_get_attr(win, key);
    %   assert(strcmp(x, 'grid') && isequal(flag, true))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_get_attr', varargin{:});
end
