function varargout = MPI_Reduce(varargin)
    % MPI_Reduce  -  Arrays of all ranks combined, element by element, on rank root.
    %
    %   y = MPI_Reduce(x [, op [, root [, comm]]])
    %
    %   x: a full numeric, logical or char array
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation (default: 'sum')
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   y (output): the value
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Reduce([rank, 1], 'sum', 0);
    %   assert(rank > 0 && isempty(y) || isequal(y, [n * (n - 1) / 2, n]))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Reduce', varargin{:});
end
