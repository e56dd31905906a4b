function varargout = MPI_Type_create_struct(varargin)
    % MPI_Type_create_struct  -  Blocks of different types at displacements in bytes.
    %
    %   newtype = MPI_Type_create_struct(lengths, displs, types)
    %
    %   lengths: whole numbers
    %   displs: whole numbers of bytes
    %   types: datatypes, one for each
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_create_struct([1, 2], [0, 8], [MPI_DOUBLE, MPI_INT32_T]);
    %   assert(MPI_Type_size(type) == 16)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_struct', varargin{:});
end
