function varargout = MPI_Type_set_attr(varargin)
    % MPI_Type_set_attr  -  Attach a value to a datatype.
    %
    %   MPI_Type_set_attr(type, keyval, x)
    %
    %   type: a datatype
    %   keyval: a whole number
    %   x: any value but function handles and objects
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Type_create_keyval();
    %   type = MPI_Type_contiguous(2, MPI_DOUBLE);
    %   MPI_Type_set_attr(type, key, 5)
    %   assert(MPI_Type_get_attr(type, key) == 5)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_set_attr', varargin{:});
end
