function varargout = MPI_Type_dup(varargin)
    % MPI_Type_dup  -  A copy of a type.
    %
    %   newtype = MPI_Type_dup(type)
    %
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Type_dup(MPI_DOUBLE);
    %   assert(MPI_Type_size(copy) == 8 && copy ~= MPI_DOUBLE)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_dup', varargin{:});
end
