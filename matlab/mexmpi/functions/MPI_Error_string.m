function varargout = MPI_Error_string(varargin)
    % MPI_Error_string  -  What an error code means.
    %
    %   text = MPI_Error_string(code)
    %
    %   code: a whole number
    %   text (output): a text
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(~isempty(MPI_Error_string(MPI_ERR_TRUNCATE)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Error_string', varargin{:});
end
