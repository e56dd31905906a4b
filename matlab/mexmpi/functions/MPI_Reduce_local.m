function varargout = MPI_Reduce_local(varargin)
    % MPI_Reduce_local  -  Two arrays combined on this rank alone.
    %
    %   y = MPI_Reduce_local(x, y [, op])
    %
    %   x: a full numeric, logical or char array
    %   y: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   y (output): the value
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Reduce_local([1 5], [4 2], 'max'), [4 5]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Reduce_local', varargin{:});
end
