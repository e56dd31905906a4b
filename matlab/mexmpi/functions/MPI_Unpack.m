function varargout = MPI_Unpack(varargin)
    % MPI_Unpack  -  The value that begins at a position of a row of bytes, and where it ends.
    %
    %   [x, position] = MPI_Unpack(buffer [, position [, comm]])
    %
    %   buffer: a full numeric, logical or char array
    %   position: a whole number, above 2^31 too (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   x (output): the value
    %   position (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [x, position] = MPI_Unpack(MPI_Pack(magic(3)));
    %   assert(isequal(x, magic(3)) && position > 72)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Unpack', varargin{:});
end
