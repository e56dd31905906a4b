function varargout = MPI_Allreduce(varargin)
    % MPI_Allreduce  -  Arrays of all ranks combined on every rank.
    %
    %   y = MPI_Allreduce(x [, op [, comm]])
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
    %   assert(MPI_Allreduce(rank) == n * (n - 1) / 2)
    %   assert(MPI_Allreduce(rank, 'max') == n - 1)
    %   [least] = MPI_Allreduce([abs(rank - 1); rank], 'minloc');
    %   assert(least(2) == min(1, n - 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Allreduce', varargin{:});
end
