function varargout = MPI_Comm_compare(varargin)
    % MPI_Comm_compare  -  Are two communicators MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR or MPI_UNEQUAL?.
    %
    %   result = MPI_Comm_compare(comm, other)
    %
    %   comm: a communicator
    %   other: a communicator
    %   result (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   assert(MPI_Comm_compare(w, w) == MPI_IDENT && MPI_Comm_compare(w, copy) == MPI_CONGRUENT)
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_compare', varargin{:});
end
