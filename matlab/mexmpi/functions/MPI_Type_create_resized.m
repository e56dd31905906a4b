function varargout = MPI_Type_create_resized(varargin)
    % MPI_Type_create_resized  -  A type with another extent.
    %
    %   newtype = MPI_Type_create_resized(type, lower, extent)
    %
    %   type: a datatype
    %   lower: a whole number, above 2^31 too
    %   extent: a whole number, above 2^31 too
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_create_resized(MPI_DOUBLE, 0, 32);
    %   MPI_Type_commit(type)
    %   x = 1:8;
    %   y = zeros(1, 2);
    %   MPI_Send(x, next, 74, w, type, 2)                    % every fourth
    %   MPI_Recv_into('y', last, 74, w, MPI_DOUBLE);
    %   assert(isequal(y, [1 5]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_resized', varargin{:});
end
