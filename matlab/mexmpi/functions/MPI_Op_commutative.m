function varargout = MPI_Op_commutative(varargin)
    % MPI_Op_commutative  -  May the operands be exchanged?.
    %
    %   flag = MPI_Op_commutative(op)
    %
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation
    %   flag (output): true or false
    %
    % Since MPI 2.2.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   op = MPI_Op_create(@minus, false);
    %   assert(MPI_Op_commutative(MPI_SUM) && ~MPI_Op_commutative(op))
    %   MPI_Op_free(op)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Op_commutative', varargin{:});
end
