function varargout = MPI_Iallgather(varargin)
    % MPI_Iallgather  -  Begin an allgather of arrays of the same class and size.
    %
    %   request = MPI_Iallgather(x [, comm])
    %
    %   x: a full numeric, logical or char array
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Wait(MPI_Iallgather([rank; -rank])), [0:n - 1; 0:-1:1 - n]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iallgather', varargin{:});
end
