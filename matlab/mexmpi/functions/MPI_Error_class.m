function varargout = MPI_Error_class(varargin)
    % MPI_Error_class  -  Class of an error code.
    %
    %   class = MPI_Error_class(code)
    %
    %   code: a whole number
    %   class (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Error_class(MPI_ERR_RANK) == MPI_ERR_RANK)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Error_class', varargin{:});
end
