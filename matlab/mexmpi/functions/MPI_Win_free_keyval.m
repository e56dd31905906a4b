function varargout = MPI_Win_free_keyval(varargin)
    % MPI_Win_free_keyval  -  Let go of a key.
    %
    %   MPI_Win_free_keyval(keyval)
    %
    %   keyval: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Win_create_keyval();
    %   MPI_Win_free_keyval(key)
    %   win = MPI_Win_create(1:3);
    %   assert(strcmp(failure(@() MPI_Win_set_attr(win, key, 1)), 'mpi:ERR_KEYVAL'))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_free_keyval', varargin{:});
end
