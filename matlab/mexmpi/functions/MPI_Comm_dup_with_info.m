function varargout = MPI_Comm_dup_with_info(varargin)
    % MPI_Comm_dup_with_info  -  The same with hints.
    %
    %   newcomm = MPI_Comm_dup_with_info(comm, info)
    %
    %   comm: a communicator
    %   info: hints
    %   newcomm (output): a communicator
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   copy = MPI_Comm_dup_with_info(w, hints);
    %   assert(MPI_Comm_size(copy) == n && MPI_Comm_compare(w, copy) == MPI_CONGRUENT)
    %   MPI_Comm_free(copy)
    %   MPI_Info_free(hints)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_dup_with_info', varargin{:});
end
