function varargout = MPI_Aint_diff(varargin)
    % MPI_Aint_diff  -  Bytes between two addresses.
    %
    %   bytes = MPI_Aint_diff(address, other)
    %
    %   address: a whole number, above 2^31 too
    %   other: a whole number, above 2^31 too
    %   bytes (output): a number
    %
    % Since MPI 3.1.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Aint_diff(1024, 1000) == 24)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Aint_diff', varargin{:});
end
