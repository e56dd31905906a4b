function varargout = MPI_Type_size(varargin)
    % MPI_Type_size  -  Bytes of data of a type.
    %
    %   bytes = MPI_Type_size(type)
    %
    %   type: a datatype
    %   bytes (output): a number
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Type_size(MPI_DOUBLE) == 8 && MPI_Type_size(MPI_INT8_T) == 1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_size', varargin{:});
end
