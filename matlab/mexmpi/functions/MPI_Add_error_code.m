function varargout = MPI_Add_error_code(varargin)
    % MPI_Add_error_code  -  Make an error code of a class.
    %
    %   code = MPI_Add_error_code(class)
    %
    %   class: a whole number
    %   code (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   class = MPI_Add_error_class();
    %   code = MPI_Add_error_code(class);
    %   assert(MPI_Error_class(code) == class)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Add_error_code', varargin{:});
end
