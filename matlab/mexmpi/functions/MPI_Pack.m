function varargout = MPI_Pack(varargin)
    % MPI_Pack  -  A value as a row of bytes, behind those of buffer.
    %
    %   buffer = MPI_Pack(x [, buffer [, comm]])
    %
    %   x: any value but function handles and objects
    %   buffer: a full numeric, logical or char array (default: none)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   buffer (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   buffer = MPI_Pack({1, 'two'});
    %   buffer = MPI_Pack(3, buffer);            % behind the first value
    %   [first, position] = MPI_Unpack(buffer);
    %   assert(isequal(first, {1, 'two'}) && MPI_Unpack(buffer, position) == 3)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Pack', varargin{:});
end
