function varargout = MPI_Op_create(varargin)
    % MPI_Op_create  -  An operation for reductions out of an Octave function of two arrays.
    %
    %   op = MPI_Op_create(f [, commute])
    %
    %   f: a function handle, or the name of a function
    %   commute: a whole number (default: 1)
    %   op (output): an operation
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   op = MPI_Op_create(@(a, b) max(abs(a), abs(b)));
    %   assert(MPI_Allreduce(-rank - 1, op) == n || n == 1)
    %   assert(MPI_Reduce_local(-3, 2, op) == 3)
    %   MPI_Op_free(op)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Op_create', varargin{:});
end
