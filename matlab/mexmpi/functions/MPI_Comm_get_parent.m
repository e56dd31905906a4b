function varargout = MPI_Comm_get_parent(varargin)
    % MPI_Comm_get_parent  -  Intercommunicator to the processes that started this one, or MPI_COMM_NULL.
    %
    %   intercomm = MPI_Comm_get_parent()
    %
    %   intercomm (output): a communicator
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Comm_get_parent() == MPI_COMM_NULL)       % this job was started by mpiexec

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_get_parent', varargin{:});
end
