function varargout = MPI_Wtick(varargin)
    % MPI_Wtick  -  Resolution of MPI_Wtime in seconds.
    %
    %   seconds = MPI_Wtick()
    %
    %   seconds (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Wtick() > 0 && MPI_Wtick() < 0.1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Wtick', varargin{:});
end
