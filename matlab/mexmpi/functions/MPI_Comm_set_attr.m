function varargout = MPI_Comm_set_attr(varargin)
    % MPI_Comm_set_attr  -  Attach a value to a communicator.
    %
    %   MPI_Comm_set_attr(comm, keyval, x)
    %
    %   comm: a communicator
    %   keyval: a whole number
    %   x: any value but function handles and objects
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Attr_put.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Comm_create_keyval();
    %   MPI_Comm_set_attr(MPI_COMM_SELF, key, magic(3))
    %   assert(isequal(MPI_Comm_get_attr(MPI_COMM_SELF, key), magic(3)))
    %   MPI_Comm_delete_attr(MPI_COMM_SELF, key)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_set_attr', varargin{:});
end
