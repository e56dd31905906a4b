function varargout = MPI_Iscatter(varargin)
    % MPI_Iscatter  -  Begin a scatter; x is like the own block on ranks other than root.
    %
    %   request = MPI_Iscatter(x [, root [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = 0;
    %   if rank == 0
    %       x = 5 * (1:n);
    %   end
    %   assert(MPI_Wait(MPI_Iscatter(x, 0)) == 5 * (rank + 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iscatter', varargin{:});
end
