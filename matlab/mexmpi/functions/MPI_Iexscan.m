function varargout = MPI_Iexscan(varargin)
    % MPI_Iexscan  -  Begin a reduction over the ranks before this one.
    %
    %   request = MPI_Iexscan(x [, op [, comm]])
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
    %   y = MPI_Wait(MPI_Iexscan(1));
    %   assert(rank == 0 && isempty(y) || y == rank)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Iexscan', varargin{:});
end
