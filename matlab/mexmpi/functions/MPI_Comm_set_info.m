function varargout = MPI_Comm_set_info(varargin)
    % MPI_Comm_set_info  -  Give a communicator hints.
    %
    %   MPI_Comm_set_info(comm, info)
    %
    %   comm: a communicator
    %   info: hints
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   hints = MPI_Info_create();
    %   MPI_Comm_set_info(copy, hints)
    %   assert(strcmp(failure(@() MPI_Comm_set_info(copy, 0)), 'mpi:badInput'))
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_set_info', varargin{:});
end
