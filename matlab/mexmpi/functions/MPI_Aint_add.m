function varargout = MPI_Aint_add(varargin)
    % MPI_Aint_add  -  An address and a number of bytes added.
    %
    %   sum = MPI_Aint_add(address, bytes)
    %
    %   address: a whole number, above 2^31 too
    %   bytes: a whole number, above 2^31 too
    %   sum (output): a number
    %
    % Since MPI 3.1.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Aint_add(1000, 24) == 1024)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Aint_add', varargin{:});
end
