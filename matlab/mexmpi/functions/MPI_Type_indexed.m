function varargout = MPI_Type_indexed(varargin)
    % MPI_Type_indexed  -  Blocks of elements at displacements in elements.
    %
    %   newtype = MPI_Type_indexed(lengths, displs, type)
    %
    %   lengths: whole numbers
    %   displs: whole numbers
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   corner = MPI_Type_indexed([1, 2], [0, 5], MPI_DOUBLE);
    %   MPI_Type_commit(corner)
    %   x = 1:8;
    %   y = zeros(1, 3);
    %   MPI_Send(x, next, 71, w, corner, 1)
    %   MPI_Recv_into('y', last, 71, w, MPI_DOUBLE);
    %   assert(isequal(y, [1 6 7]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_indexed', varargin{:});
end
