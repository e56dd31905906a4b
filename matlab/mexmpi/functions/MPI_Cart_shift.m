function varargout = MPI_Cart_shift(varargin)
    % MPI_Cart_shift  -  Ranks to receive from and to send to for a shift along a direction (0, 1, ...).
    %
    %   [source, dest] = MPI_Cart_shift(comm, direction [, displacement])
    %
    %   comm: a communicator of MPI_Cart_create
    %   direction: a whole number
    %   displacement: a whole number (default: 1)
    %   source (output): a number
    %   dest (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   ring = MPI_Cart_create(w, n, true);
    %   [source, dest] = MPI_Cart_shift(ring, 0, 1);
    %   assert(source == last && dest == next)
    %   MPI_Comm_free(ring)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cart_shift', varargin{:});
end
