function varargout = MPI_Type_free_keyval(varargin)
    % MPI_Type_free_keyval  -  Let go of a key.
    %
    %   MPI_Type_free_keyval(keyval)
    %
    %   keyval: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Type_create_keyval();
    %   MPI_Type_free_keyval(key)
    %   assert(strcmp(failure(@() MPI_Type_set_attr(MPI_DOUBLE, key, 1)), 'mpi:ERR_KEYVAL'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_free_keyval', varargin{:});
end
