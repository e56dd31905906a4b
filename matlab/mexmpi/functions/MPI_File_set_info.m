function varargout = MPI_File_set_info(varargin)
    % MPI_File_set_info  -  Give a file hints.
    %
    %   MPI_File_set_info(file, info)
    %
    %   file: a file
    %   info: hints
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_set_info(file, MPI_Info_create())
    %   assert(strcmp(failure(@() MPI_File_set_info(file, 0)), 'mpi:badInput'))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_set_info', varargin{:});
end
