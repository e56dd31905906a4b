function varargout = MPI_Type_create_indexed_block(varargin)
    % MPI_Type_create_indexed_block  -  Equal blocks at displacements in elements.
    %
    %   newtype = MPI_Type_create_indexed_block(length, displs, type)
    %
    %   length: a whole number
    %   displs: whole numbers
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_create_indexed_block(2, [0, 4], MPI_INT32_T);
    %   MPI_Type_commit(type)
    %   x = int32(1:6);
    %   y = zeros(1, 4, 'int32');
    %   MPI_Send(x, next, 72, w, type, 1)
    %   MPI_Recv_into('y', last, 72, w, MPI_INT32_T);
    %   assert(isequal(y, int32([1 2 5 6])))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_indexed_block', varargin{:});
end
