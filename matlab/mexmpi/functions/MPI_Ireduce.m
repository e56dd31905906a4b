function varargout = MPI_Ireduce(varargin)
    % MPI_Ireduce  -  Begin a reduction to rank root.
    %
    %   request = MPI_Ireduce(x [, op [, root [, comm]]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Wait(MPI_Ireduce([1 rank], 'sum', 0));
    %   assert(rank > 0 && isempty(y) || isequal(y, [n, n * (n - 1) / 2]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ireduce', varargin{:});
end
