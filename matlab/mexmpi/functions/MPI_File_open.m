function varargout = MPI_File_open(varargin)
    % MPI_File_open  -  Open a file on all ranks; mode: r, w, r+, w+, a, or a sum of MPI_MODE_.
    %
    %   file = MPI_File_open(name [, mode [, info [, comm]]])
    %
    %   name: a text
    %   mode: 'r', 'w', 'r+', 'w+', 'a', or a sum of MPI_MODE_ constants (default: r)
    %   info: hints (default: MPI_INFO_NULL)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   file (output): a file
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(MPI_File_get_size(file) == 0)
    %   MPI_File_close(file)
    %   assert(strcmp(failure(@() MPI_File_open('/no/such/file')), 'mpi:ERR_NO_SUCH_FILE'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_open', varargin{:});
end
