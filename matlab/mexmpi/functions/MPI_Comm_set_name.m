function varargout = MPI_Comm_set_name(varargin)
    % MPI_Comm_set_name  -  Name a communicator.
    %
    %   MPI_Comm_set_name(comm, name)
    %
    %   comm: a communicator
    %   name: a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   MPI_Comm_set_name(copy, 'workers')
    %   assert(strcmp(MPI_Comm_get_name(copy), 'workers'))
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_set_name', varargin{:});
end
