function varargout = MPI_Pack_size(varargin)
    % MPI_Pack_size  -  How many bytes MPI_Pack needs for a value.
    %
    %   bytes = MPI_Pack_size(x [, comm])
    %
    %   x: any value but function handles and objects
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   bytes (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Pack_size(magic(3)) >= numel(MPI_Pack(magic(3))) && MPI_Pack_size(1) > 8)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Pack_size', varargin{:});
end
