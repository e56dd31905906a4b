function varargout = MPI_Type_get_envelope(varargin)
    % MPI_Type_get_envelope  -  How a type was made.
    %
    %   [integers, addresses, types, combiner] = MPI_Type_get_envelope(type)
    %
    %   type: a datatype
    %   integers (output): a number
    %   addresses (output): a number
    %   types (output): a number
    %   combiner (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [integers, addresses, types, combiner] = MPI_Type_get_envelope(MPI_Type_vector(2, 1, 3, MPI_DOUBLE));
    %   assert(isequal([integers, addresses, types], [3, 0, 1]) && combiner == MPI_COMBINER_VECTOR)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_envelope', varargin{:});
end
