function varargout = MPI_Iallreduce(varargin)
    % MPI_Iallreduce  -  Begin a reduction to every rank.
    %
    %   request = MPI_Iallreduce(x [, op [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(MPI_Wait(MPI_Iallreduce(rank + 1, 'prod')) == factorial(n))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iallreduce', varargin{:});
end
