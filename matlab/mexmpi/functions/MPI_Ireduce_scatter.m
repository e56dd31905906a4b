function varargout = MPI_Ireduce_scatter(varargin)
    % MPI_Ireduce_scatter  -  Begin a reduction whose result is dealt out.
    %
    %   request = MPI_Ireduce_scatter(x, counts [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   counts: whole numbers, one for each rank
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Wait(MPI_Ireduce_scatter(repelem(1:n, 1:n), 1:n));
    %   assert(isequal(y(:), n * (rank + 1) * ones(rank + 1, 1)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Ireduce_scatter', varargin{:});
end
