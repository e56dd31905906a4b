function varargout = MPI_Finalize(varargin)
    % MPI_Finalize  -  End MPI in this process; last call of a program, tells which requests were never completed.
    %
    %   MPI_Finalize()
    %
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(strcmp(failure(@() MPI_Finalize(1)), 'mpi:badInput'))   % MPI_Finalize() ends a program

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Finalize', varargin{:});
end
