function varargout = MPI_Ialltoallw(varargin)
    % MPI_Ialltoallw  -  Begin an exchange of data of different datatypes.
    %
    %   request = MPI_Ialltoallw(x, sendcounts, senddispls, sendtypes, y, recvcounts, recvdispls, recvtypes [, comm])
    %
    %   x: a full numeric, logical or char array
    %   sendcounts: whole numbers, one for each rank
    %   senddispls: whole numbers, one for each rank
    %   sendtypes: datatypes, one for each
    %   y: a full numeric, logical or char array
    %   recvcounts: whole numbers, one for each rank
    %   recvdispls: whole numbers, one for each rank
    %   recvtypes: datatypes, one for each
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   types = repmat(MPI_DOUBLE, 1, n);
    %   ones_ = ones(1, n);
    %   y = MPI_Wait(MPI_Ialltoallw(10 * rank + (1:n), ones_, 8 * (0:n - 1), types, zeros(1, n), ones_, 8 * (0:n - 1), types));
    %   assert(isequal(y, 10 * (0:n - 1) + rank + 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ialltoallw', varargin{:});
end
