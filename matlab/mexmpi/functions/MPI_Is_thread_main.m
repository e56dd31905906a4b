function varargout = MPI_Is_thread_main(varargin)
    % MPI_Is_thread_main  -  Is this the thread that called MPI_Init?.
    %
    %   flag = MPI_Is_thread_main()
    %
    %   flag (output): true or false
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Is_thread_main(), true))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Is_thread_main', varargin{:});
end
