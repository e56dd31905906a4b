function varargout = MPI_Ialltoall(varargin)
    % MPI_Ialltoall  -  Begin an exchange of equal blocks.
    %
    %   request = MPI_Ialltoall(x [, comm])
    %
    %   x: a full numeric, logical or char array
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Wait(MPI_Ialltoall(10 * rank + (1:n))), 10 * (0:n - 1) + rank + 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ialltoall', varargin{:});
end
