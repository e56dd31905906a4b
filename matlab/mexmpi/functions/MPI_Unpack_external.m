function varargout = MPI_Unpack_external(varargin)
    % MPI_Unpack_external  -  So many elements of a class out of the format external32.
    %
    %   [x, position] = MPI_Unpack_external(buffer, position, count [, class])
    %
    %   buffer: a full numeric, logical or char array
    %   position: a whole number, above 2^31 too
    %   count: a whole number, above 2^31 too
    %   class: a text (default: double)
    %   x (output): the value
    %   position (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [x, position] = MPI_Unpack_external(MPI_Pack_external([pi; 2]), 0, 2, 'double');
    %   assert(isequal(x, [pi; 2]) && position == 16)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Unpack_external', varargin{:});
end
