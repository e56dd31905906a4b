function varargout = MPI_Win_create_keyval(varargin)
    % MPI_Win_create_keyval  -  A key for values that are attached to windows.
    %
    %   keyval = MPI_Win_create_keyval()
    %
    %   keyval (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Win_create_keyval();
    %   win = MPI_Win_create(1:3);
    %   MPI_Win_set_attr(win, key, 'mine')
    %   assert(strcmp(MPI_Win_get_attr(win, key), 'mine'))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_create_keyval', varargin{:});
end
