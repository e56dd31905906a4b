function varargout = MPI_Type_create_hvector(varargin)
    % MPI_Type_create_hvector  -  Blocks of elements at a stride in bytes.
    %
    %   newtype = MPI_Type_create_hvector(count, length, stride, type)
    %
    %   count: a whole number
    %   length: a whole number
    %   stride: a whole number, above 2^31 too
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   row = MPI_Type_create_hvector(3, 1, 24, MPI_DOUBLE);
    %   MPI_Type_commit(row)
    %   assert(MPI_Type_size(row) == 24)
    %   [lower, extent] = MPI_Type_get_extent(row);
    %   assert(lower == 0 && extent == 56)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_hvector', varargin{:});
end
