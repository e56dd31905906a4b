function varargout = MPI_Type_get_extent(varargin)
    % MPI_Type_get_extent  -  Lower bound and extent of a type in bytes.
    %
    %   [lower, extent] = MPI_Type_get_extent(type)
    %
    %   type: a datatype
    %   lower (output): a number of bytes
    %   extent (output): a number of bytes
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [lower, extent] = MPI_Type_get_extent(MPI_Type_create_resized(MPI_DOUBLE, -8, 40));
    %   assert(lower == -8 && extent == 40)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_extent', varargin{:});
end
