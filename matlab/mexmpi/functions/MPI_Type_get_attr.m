function varargout = MPI_Type_get_attr(varargin)
    % MPI_Type_get_attr  -  The value of a key, and whether there is one.
    %
    %   [x, flag] = MPI_Type_get_attr(type, keyval)
    %
    %   type: a datatype
    %   keyval: a whole number
    %   x (output): the value
    %   flag (output): true or false
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Type_create_keyval();
    %   type = MPI_Type_contiguous(2, MPI_DOUBLE);
    %   [x, flag] = MPI_Type_get_attr(type, key);
    %   assert(isempty(x) && isequal(flag, false))
    %   MPI_Type_set_attr(type, key, {'unit', 5})
    %   [x, flag] = MPI_Type_get_attr(type, key);
    %   assert(isequal(x, {'unit', 5}) && isequal(flag, true))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_attr', varargin{:});
end
