function varargout = MPI_Comm_size(varargin)
    % MPI_Comm_size  -  Number of ranks.
    %
    %   size = MPI_Comm_size([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   size (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Comm_size() == n && MPI_Comm_size(MPI_COMM_SELF) == 1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_size', varargin{:});
end
