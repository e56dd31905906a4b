function varargout = MPI_Comm_free_keyval(varargin)
    % MPI_Comm_free_keyval  -  Let go of a key.
    %
    %   MPI_Comm_free_keyval(keyval)
    %
    %   keyval: a whole number
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Keyval_free.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Comm_create_keyval();
    %   MPI_Comm_free_keyval(key)
    %   assert(strcmp(failure(@() MPI_Comm_set_attr(MPI_COMM_SELF, key, 1)), 'mpi:ERR_KEYVAL'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_free_keyval', varargin{:});
end
