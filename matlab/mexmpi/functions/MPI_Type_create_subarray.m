function varargout = MPI_Type_create_subarray(varargin)
    % MPI_Type_create_subarray  -  A block of an array (starts count from 0).
    %
    %   newtype = MPI_Type_create_subarray(sizes, subsizes, starts, type)
    %
    %   sizes: whole numbers
    %   subsizes: whole numbers
    %   starts: whole numbers
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   block = MPI_Type_create_subarray([4, 4], [2, 2], [1, 1], MPI_DOUBLE);   % the middle of a 4 x 4 array
    %   MPI_Type_commit(block)
    %   x = magic(4);
    %   y = zeros(2);
    %   MPI_Send(x, next, 73, w, block, 1)
    %   MPI_Recv_into('y', last, 73, w, MPI_DOUBLE);
    %   assert(isequal(y, x(2:3, 2:3)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_subarray', varargin{:});
end
