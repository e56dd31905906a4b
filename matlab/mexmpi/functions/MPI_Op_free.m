function varargout = MPI_Op_free(varargin)
    % MPI_Op_free  -  Let go of an operation.
    %
    %   MPI_Op_free(op)
    %
    %   op: 'sum' 'prod' 'max' 'min' 'and' 'or' 'xor' 'bitand' 'bitor' 'bitxor' 'maxloc' 'minloc', or an operation
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   op = MPI_Op_create(@plus);
    %   MPI_Op_free(op)
    %   assert(strcmp(failure(@() MPI_Allreduce(1, op)), 'mpi:ERR_OP'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Op_free', varargin{:});
end
