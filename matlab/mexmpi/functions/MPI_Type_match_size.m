function varargout = MPI_Type_match_size(varargin)
    % MPI_Type_match_size  -  The predefined type of a class and size.
    %
    %   type = MPI_Type_match_size(typeclass, bytes)
    %
    %   typeclass: a whole number
    %   bytes: a whole number
    %   type (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Type_size(MPI_Type_match_size(MPI_TYPECLASS_REAL, 4)) == 4)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_match_size', varargin{:});
end
