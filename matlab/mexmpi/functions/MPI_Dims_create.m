function varargout = MPI_Dims_create(varargin)
    % MPI_Dims_create  -  Balanced grid of so many ranks; zeros are filled in.
    %
    %   dims2 = MPI_Dims_create(ranks, dims)
    %
    %   ranks: a whole number
    %   dims: whole numbers
    %   dims2 (output): numbers
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Dims_create(12, [0, 3]), [4, 3]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Dims_create', varargin{:});
end
