function varargout = MPI_Pcontrol(varargin)
    % MPI_Pcontrol  -  Tell a profiling tool at which level to work.
    %
    %   MPI_Pcontrol(level)
    %
    %   level: a whole number
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Pcontrol(1)                          % nothing listens, unless a profiling tool does
    %   assert(strcmp(failure(@() MPI_Pcontrol('on')), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Pcontrol', varargin{:});
end
