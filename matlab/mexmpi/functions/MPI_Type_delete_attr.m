function varargout = MPI_Type_delete_attr(varargin)
    % MPI_Type_delete_attr  -  Take a value away from a datatype.
    %
    %   MPI_Type_delete_attr(type, keyval)
    %
    %   type: a datatype
    %   keyval: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Type_create_keyval();
    %   type = MPI_Type_contiguous(2, MPI_DOUBLE);
    %   MPI_Type_set_attr(type, key, 5)
    %   MPI_Type_delete_attr(type, key)
    %   [x, flag] = MPI_Type_get_attr(type, key);
    %   assert(~flag)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_delete_attr', varargin{:});
end
