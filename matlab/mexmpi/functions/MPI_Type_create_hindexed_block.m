function varargout = MPI_Type_create_hindexed_block(varargin)
    % MPI_Type_create_hindexed_block  -  Equal blocks at displacements in bytes.
    %
    %   newtype = MPI_Type_create_hindexed_block(length, displs, type)
    %
    %   length: a whole number
    %   displs: whole numbers of bytes
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_create_hindexed_block(2, [0, 32], MPI_DOUBLE);
    %   [lower, extent] = MPI_Type_get_true_extent(type);
    %   assert(MPI_Type_size(type) == 32 && extent == 48)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_hindexed_block', varargin{:});
end
