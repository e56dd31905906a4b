function varargout = MPI_Comm_delete_attr(varargin)
    % MPI_Comm_delete_attr  -  Take a value away from a communicator.
    %
    %   MPI_Comm_delete_attr(comm, keyval)
    %
    %   comm: a communicator
    %   keyval: a whole number
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Attr_delete.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Comm_create_keyval();
    %   MPI_Comm_set_attr(MPI_COMM_SELF, key, 1)
    %   MPI_Comm_delete_attr(MPI_COMM_SELF, key)
    %   [x, flag] = MPI_Comm_get_attr(MPI_COMM_SELF, key);
    %   assert(~flag && isempty(x))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_delete_attr', varargin{:});
end
