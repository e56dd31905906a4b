function varargout = MPI_File_close(varargin)
    % MPI_File_close  -  Close a file.
    %
    %   MPI_File_close(file)
    %
    %   file: a file
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_close(file)
    %   assert(strcmp(failure(@() MPI_File_get_size(file)), 'mpi:ERR_FILE'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_close', varargin{:});
end
