function varargout = MPI_Comm_create_keyval(varargin)
    % MPI_Comm_create_keyval  -  A key for values that are attached to communicators and copied by MPI_Comm_dup.
    %
    %   keyval = MPI_Comm_create_keyval()
    %
    %   keyval (output): a number
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Keyval_create.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Comm_create_keyval();
    %   copy = MPI_Comm_dup(w);
    %   MPI_Comm_set_attr(copy, key, {'any', 'value'})
    %   again = MPI_Comm_dup(copy);              % attributes are copied with the communicator
    %   assert(isequal(MPI_Comm_get_attr(again, key), {'any', 'value'}))
    %   MPI_Comm_free(again)
    %   MPI_Comm_free(copy)
    %   MPI_Comm_free_keyval(key)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_create_keyval', varargin{:});
end
