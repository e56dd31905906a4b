function varargout = MPI_Init_thread(varargin)
    % MPI_Init_thread  -  Start MPI and ask for a level of thread support (0 single to 3 multiple).
    %
    %   provided = MPI_Init_thread([required])
    %
    %   required: a whole number (default: 0)
    %   provided (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(strcmp(failure(@() MPI_Init_thread(MPI_THREAD_SINGLE)), 'mpi:alreadyInitialized'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Init_thread', varargin{:});
end
