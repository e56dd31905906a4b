function varargout = MPI_Exscan(varargin)
    % MPI_Exscan  -  Arrays of the ranks before this one combined; [] on rank 0.
    %
    %   y = MPI_Exscan(x [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Exscan(rank + 1);
    %   assert(rank == 0 && isempty(y) || y == rank * (rank + 1) / 2)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Exscan', varargin{:});
end
