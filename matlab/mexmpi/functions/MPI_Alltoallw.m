function varargout = MPI_Alltoallw(varargin)
    % MPI_Alltoallw  -  Each rank data of a datatype of its own from and to each rank.
    %
    %   y = MPI_Alltoallw(x, sendcounts, senddispls, sendtypes, y, recvcounts, recvdispls, recvtypes [, comm])
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
    %   y (output): the value
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   types = repmat(MPI_DOUBLE, 1, n);
    %   y = MPI_Alltoallw(10 * rank + (1:n), ones(1, n), 8 * (0:n - 1), types, zeros(1, n), ones(1, n), 8 * (n - 1:-1:0), types);
    %   assert(isequal(fliplr(y), 10 * (0:n - 1) + rank + 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Alltoallw', varargin{:});
end
