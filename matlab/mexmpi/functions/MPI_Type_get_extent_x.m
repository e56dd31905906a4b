function varargout = MPI_Type_get_extent_x(varargin)
    % MPI_Type_get_extent_x  -  Lower bound and extent, above 2^31 too.
    %
    %   [lower, extent] = MPI_Type_get_extent_x(type)
    %
    %   type: a datatype
    %   lower (output): a number of bytes
    %   extent (output): a number of bytes
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [lower, extent] = MPI_Type_get_extent_x(MPI_Type_contiguous(1e9, MPI_DOUBLE));
    %   assert(lower == 0 && extent == 8e9)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_extent_x', varargin{:});
end
