function varargout = MPI_Ibarrier(varargin)
    % MPI_Ibarrier  -  Begin a barrier.
    %
    %   request = MPI_Ibarrier([comm])
    %
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Ibarrier();
    %   if n > 1
    %       assert(rank > 0 || ~isempty(request))
    %   end
    %   MPI_Wait(request);
    %   assert(isempty(MPI_Wait(request)) && request > 0)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ibarrier', varargin{:});
end
