function varargout = MPI_Bcast(varargin)
    % MPI_Bcast  -  A value of rank root on every rank.
    %
    %   x = MPI_Bcast(x [, root [, comm]])
    %
    %   x: any value but function handles and objects
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   x (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = 'only rank 0 needs a value';
    %   if rank > 0
    %       x = [];
    %   end
    %   x = MPI_Bcast(x, 0);
    %   assert(strcmp(x, 'only rank 0 needs a value'))
    %   y = MPI_Bcast(rank * ones(300), n - 1);
    %   assert(isequal(y, (n - 1) * ones(300)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Bcast', varargin{:});
end
