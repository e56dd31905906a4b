function varargout = MPI_Type_contiguous(varargin)
    % MPI_Type_contiguous  -  So many elements one after the other.
    %
    %   newtype = MPI_Type_contiguous(count, type)
    %
    %   count: a whole number
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   pair = MPI_Type_contiguous(2, MPI_DOUBLE);
    %   MPI_Type_commit(pair)
    %   assert(MPI_Type_size(pair) == 16)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_contiguous', varargin{:});
end
