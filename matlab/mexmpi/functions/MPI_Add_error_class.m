function varargout = MPI_Add_error_class(varargin)
    % MPI_Add_error_class  -  Make an error class of one's own.
    %
    %   class = MPI_Add_error_class()
    %
    %   class (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Add_error_class() > MPI_ERR_RANK)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Add_error_class', varargin{:});
end
