function varargout = MPI_Iscan(varargin)
    % MPI_Iscan  -  Begin a reduction over the ranks up to this one.
    %
    %   request = MPI_Iscan(x [, op [, comm]])
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
    %   assert(MPI_Wait(MPI_Iscan(1)) == rank + 1)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iscan', varargin{:});
end
