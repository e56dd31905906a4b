function varargout = MPI_Type_size_x(varargin)
    % MPI_Type_size_x  -  Bytes of data of a type, above 2^31 too.
    %
    %   bytes = MPI_Type_size_x(type)
    %
    %   type: a datatype
    %   bytes (output): a number of bytes
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   huge = MPI_Type_contiguous(1e9, MPI_DOUBLE);
    %   assert(MPI_Type_size_x(huge) == 8e9)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_size_x', varargin{:});
end
