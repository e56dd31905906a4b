function varargout = MPI_Cart_map(varargin)
    % MPI_Cart_map  -  Rank that this process would best have in a grid.
    %
    %   rank = MPI_Cart_map(comm, dims, periods)
    %
    %   comm: a communicator
    %   dims: whole numbers
    %   periods: whole numbers
    %   rank (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   place = MPI_Cart_map(w, [1, n], [false, false]);
    %   assert(isequal(sort(MPI_Allgather(place)), 0:n - 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_map', varargin{:});
end
