function varargout = MPI_Type_get_name(varargin)
    % MPI_Type_get_name  -  Name of a type.
    %
    %   name = MPI_Type_get_name(type)
    %
    %   type: a datatype
    %   name (output): a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(strcmp(MPI_Type_get_name(MPI_DOUBLE), 'MPI_DOUBLE'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_name', varargin{:});
end
