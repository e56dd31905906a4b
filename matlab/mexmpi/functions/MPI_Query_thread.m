function varargout = MPI_Query_thread(varargin)
    % MPI_Query_thread  -  The level of thread support that is in force.
    %
    %   provided = MPI_Query_thread()
    %
    %   provided (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(any(MPI_Query_thread() == [MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Query_thread', varargin{:});
end
