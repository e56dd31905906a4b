function varargout = MPI_Type_vector(varargin)
    % MPI_Type_vector  -  Blocks of elements at a stride in elements.
    %
    %   newtype = MPI_Type_vector(count, length, stride, type)
    %
    %   count: a whole number
    %   length: a whole number
    %   stride: a whole number
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   row = MPI_Type_vector(4, 1, 4, MPI_DOUBLE);          % a row of a 4 x 4 array
    %   MPI_Type_commit(row)
    %   x = magic(4);
    %   y = zeros(1, 4);
    %   MPI_Send(x, next, 70, w, row, 1)                     % raw data: no header
    %   MPI_Recv_into('y', last, 70, w, MPI_DOUBLE);
    %   assert(isequal(y, x(1, :)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_vector', varargin{:});
end
