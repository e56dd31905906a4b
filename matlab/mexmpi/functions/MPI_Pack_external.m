function varargout = MPI_Pack_external(varargin)
    % MPI_Pack_external  -  The elements of an array in the portable format external32, behind those of buffer.
    %
    %   buffer = MPI_Pack_external(x [, buffer])
    %
    %   x: a full numeric, logical or char array
    %   buffer: a full numeric, logical or char array (default: none)
    %   buffer (output): the value
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   bytes = MPI_Pack_external(int32([1 2 3]));
    %   assert(isequal(bytes, uint8([0 0 0 1 0 0 0 2 0 0 0 3])))   % big endian, everywhere

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Pack_external', varargin{:});
end
