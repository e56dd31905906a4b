function varargout = MPI_Type_create_hindexed(varargin)
    % MPI_Type_create_hindexed  -  Blocks of elements at displacements in bytes.
    %
    %   newtype = MPI_Type_create_hindexed(lengths, displs, type)
    %
    %   lengths: whole numbers
    %   displs: whole numbers of bytes
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_create_hindexed([1, 2], [0, 40], MPI_DOUBLE);
    %   [lower, extent] = MPI_Type_get_extent(type);
    %   assert(MPI_Type_size(type) == 24 && extent == 56)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_hindexed', varargin{:});
end
