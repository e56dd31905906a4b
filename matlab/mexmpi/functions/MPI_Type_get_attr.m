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
    %   [x, flag] = MPI_Type_get_attr(MPI_Type_contiguous(2, MPI_DOUBLE), key);
    %   assert(isempty(x) && isequal(flag, false))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_attr', varargin{:});
end
