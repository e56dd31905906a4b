function varargout = MPI_Wtime(varargin)
    % MPI_Wtime  -  Seconds since some moment in the past.
    %
    %   seconds = MPI_Wtime()
    %
    %   seconds (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   started = MPI_Wtime();
    %   pause(0.01)
    %   assert(MPI_Wtime() - started >= 0.009)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Wtime', varargin{:});
end
