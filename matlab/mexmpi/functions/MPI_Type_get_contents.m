function varargout = MPI_Type_get_contents(varargin)
    % MPI_Type_get_contents  -  Of what a type was made.
    %
    %   [integers, addresses, types] = MPI_Type_get_contents(type)
    %
    %   type: a datatype
    %   integers (output): the value
    %   addresses (output): the value
    %   types (output): the value
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [integers, addresses, types] = MPI_Type_get_contents(MPI_Type_vector(2, 1, 3, MPI_DOUBLE));
    %   assert(isequal(integers, [2, 1, 3]) && isempty(addresses) && types == MPI_DOUBLE)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_get_contents', varargin{:});
end
