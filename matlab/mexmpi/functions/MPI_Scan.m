function varargout = MPI_Scan(varargin)
    % MPI_Scan  -  Arrays of the ranks up to this one combined.
    %
    %   y = MPI_Scan(x [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Scan(rank + 1) == (rank + 1) * (rank + 2) / 2)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Scan', varargin{:});
end
