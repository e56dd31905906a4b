function varargout = MPI_Allreduce_into(varargin)
    % MPI_Allreduce_into  -  Arrays of all ranks combined on every rank, in place: into the variable of that name, of the class and size of x.
    %
    %   MPI_Allreduce_into(name, x [, op [, comm]])
    %
    %   name: a text
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %
    % An addition of mexmpi's.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   x = rank + (1:20);
    %   y = zeros(1, 20);
    %   z = y;
    %   MPI_Allreduce_into('y', x)
    %   assert(isequal(y, n * (1:20) + n * (n - 1) / 2) && isequal(x, rank + (1:20)))
    %   assert(~any(z))                          % z, which has shared its memory with y, is as it was
    %   MPI_Allreduce_into('x', x, 'max')        % the variable may be x itself
    %   assert(isequal(x, n - 1 + (1:20)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allreduce_into', varargin{:});
end
