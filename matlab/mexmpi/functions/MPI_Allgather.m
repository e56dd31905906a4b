function varargout = MPI_Allgather(varargin)
    % MPI_Allgather  -  Values of all ranks on every rank.
    %
    %   y = MPI_Allgather(x [, comm])
    %
    %   x: any value but function handles and objects
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Allgather(rank), 0:n - 1))
    %   assert(isequal(MPI_Allgather({rank}), num2cell(0:n - 1)) || n == 1 || iscell(MPI_Allgather({rank})))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allgather', varargin{:});
end
