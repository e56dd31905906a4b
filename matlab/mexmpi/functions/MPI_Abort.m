function varargout = MPI_Abort(varargin)
    % MPI_Abort  -  End all ranks at once with an exit code.
    %
    %   MPI_Abort([code [, comm]])
    %
    %   code: a whole number (default: 1)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(strcmp(failure(@() MPI_Abort('now')), 'mpi:badInput'))  % MPI_Abort(3) ends all ranks with status 3

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Abort', varargin{:});
end
