function varargout = MPI_Get_address(varargin)
    % MPI_Get_address  -  Address of the data of an array, as a whole number.
    %
    %   address = MPI_Get_address(x)
    %
    %   x: a full numeric, logical or char array
    %   address (output): a number (int64)
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Address.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = rand(3);
    %   assert(MPI_Get_address(x) > 0 && isa(MPI_Get_address(x), 'int64'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_address', varargin{:});
end
