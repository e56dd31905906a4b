function varargout = MPI_Test_cancelled(varargin)
    % MPI_Test_cancelled  -  Was it cancelled?.
    %
    %   flag = MPI_Test_cancelled(status)
    %
    %   status: a status
    %   flag (output): true or false
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Irecv(last, 25);
    %   MPI_Cancel(request)
    %   [x, status] = MPI_Wait(request);
    %   assert(MPI_Test_cancelled(status))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Test_cancelled', varargin{:});
end
