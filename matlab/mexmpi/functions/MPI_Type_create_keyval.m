function varargout = MPI_Type_create_keyval(varargin)
    % MPI_Type_create_keyval  -  A key for values that are attached to datatypes.
    %
    %   keyval = MPI_Type_create_keyval()
    %
    %   keyval (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   key = MPI_Type_create_keyval();
    %   type = MPI_Type_contiguous(2, MPI_DOUBLE);
    %   MPI_Type_set_attr(type, key, 'x and y')
    %   assert(strcmp(MPI_Type_get_attr(MPI_Type_dup(type), key), 'x and y'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_keyval', varargin{:});
end
