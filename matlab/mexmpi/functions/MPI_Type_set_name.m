function varargout = MPI_Type_set_name(varargin)
    % MPI_Type_set_name  -  Name a type.
    %
    %   MPI_Type_set_name(type, name)
    %
    %   type: a datatype
    %   name: a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_dup(MPI_DOUBLE);
    %   MPI_Type_set_name(type, 'metre')
    %   assert(strcmp(MPI_Type_get_name(type), 'metre'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_set_name', varargin{:});
end
