function varargout = MPI_Pack_external_size(varargin)
    % MPI_Pack_external_size  -  How many bytes so many elements need in external32.
    %
    %   bytes = MPI_Pack_external_size(count [, class])
    %
    %   count: a whole number
    %   class: a text (default: double)
    %   bytes (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Pack_external_size(5, 'int16') == 10)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Pack_external_size', varargin{:});
end
