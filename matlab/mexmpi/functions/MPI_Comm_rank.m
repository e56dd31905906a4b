function varargout = MPI_Comm_rank(varargin)
    % MPI_Comm_rank  -  Rank of this process.
    %
    %   rank = MPI_Comm_rank([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   rank (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Comm_rank() == rank && MPI_Allreduce(MPI_Comm_rank(w)) == n * (n - 1) / 2)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_rank', varargin{:});
end
