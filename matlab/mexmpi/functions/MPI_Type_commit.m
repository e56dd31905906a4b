function varargout = MPI_Type_commit(varargin)
    % MPI_Type_commit  -  Make a type ready for communication.
    %
    %   MPI_Type_commit(type)
    %
    %   type: a datatype
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_contiguous(3, MPI_DOUBLE);
    %   MPI_Type_commit(type)
    %   y = zeros(1, 3);
    %   MPI_Send([7 8 9], next, 75, w, type, 1)
    %   MPI_Recv_into('y', last, 75, w, type);
    %   assert(isequal(y, [7 8 9]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_commit', varargin{:});
end
