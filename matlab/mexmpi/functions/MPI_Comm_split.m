function varargout = MPI_Comm_split(varargin)
    % MPI_Comm_split  -  A communicator for each color, ranks ordered by key.
    %
    %   newcomm = MPI_Comm_split(comm, color [, key])
    %
    %   comm: a communicator
    %   color: a whole number
    %   key: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   half = MPI_Comm_split(w, mod(rank, 2), -rank);
    %   assert(MPI_Comm_size(half) == numel(mod(rank, 2):2:n - 1))
    %   assert(MPI_Comm_rank(half) == numel(rank + 2:2:n - 1))     % ordered by the key, backwards
    %   MPI_Comm_free(half)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_split', varargin{:});
end
