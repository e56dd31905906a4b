function varargout = MPI_Win_allocate(varargin)
    % MPI_Win_allocate  -  A window of so many elements, all zero.
    %
    %   win = MPI_Win_allocate(count [, class [, info [, comm]]])
    %
    %   count: a whole number, above 2^31 too
    %   class: a text (default: double)
    %   info: hints (default: MPI_INFO_NULL)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   win (output): a window
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_allocate(5, 'int32');
    %   assert(isequal(MPI_Win_load(win), zeros(5, 1, 'int32')))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_allocate', varargin{:});
end
