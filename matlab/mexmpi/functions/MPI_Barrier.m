function varargout = MPI_Barrier(varargin)
    % MPI_Barrier  -  Wait until all ranks have come.
    %
    %   MPI_Barrier([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if rank == n - 1
    %       pause(0.05)
    %   end
    %   started = MPI_Wtime();
    %   MPI_Barrier()
    %   assert(rank == n - 1 || MPI_Wtime() - started > 0.02)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Barrier', varargin{:});
end
