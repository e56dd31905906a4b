function varargout = MPI_Iallgatherv(varargin)
    % MPI_Iallgatherv  -  Begin an allgather of arrays of different lengths.
    %
    %   request = MPI_Iallgatherv(x, counts [, comm])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Wait(MPI_Iallgatherv(rank * ones(rank + 1, 1), 1:n));
    %   assert(isequal(y, repelem(1:n, 1:n)' - 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iallgatherv', varargin{:});
end
