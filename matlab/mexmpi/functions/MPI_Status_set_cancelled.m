function varargout = MPI_Status_set_cancelled(varargin)
    % MPI_Status_set_cancelled  -  A status that says cancelled, or not.
    %
    %   status = MPI_Status_set_cancelled(status, flag)
    %
    %   status: a status
    %   flag: a whole number
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(0, next, 28);
    %   [x, status] = MPI_Recv(last, 28);
    %   assert(MPI_Test_cancelled(MPI_Status_set_cancelled(status, true)) && ~MPI_Test_cancelled(status))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Status_set_cancelled', varargin{:});
end
