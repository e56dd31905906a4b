function varargout = MPI_Bcast_into(varargin)
    % MPI_Bcast_into  -  Broadcast an array in place: the variable of that name, of the same class and size on all ranks.
    %
    %   MPI_Bcast_into(name [, root [, comm]])
    %
    %   name: a text
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %
    % An addition of mexmpi's.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = rank + zeros(1, 20);
    %   y = x;
    %   MPI_Bcast_into('x', n - 1)
    %   assert(isequal(x, n - 1 + zeros(1, 20)) && isequal(y, rank + zeros(1, 20)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Bcast_into', varargin{:});
end
