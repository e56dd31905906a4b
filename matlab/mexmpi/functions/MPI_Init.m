function varargout = MPI_Init(varargin)
    % MPI_Init  -  Start MPI in this process; first call of a program.
    %
    %   MPI_Init()
    %
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Initialized())                % the tests have called MPI_Init, as the first of all
    %   assert(strcmp(failure(@() MPI_Init()), 'mpi:alreadyInitialized'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Init', varargin{:});
end
