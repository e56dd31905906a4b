function varargout = MPI_File_set_errhandler(varargin)
    % MPI_File_set_errhandler  -  Error handler of a file.
    %
    %   MPI_File_set_errhandler(file, errhandler)
    %
    %   file: a file
    %   errhandler: an error handler
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL)
    %   assert(MPI_File_get_errhandler(file) == MPI_ERRORS_ARE_FATAL)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_set_errhandler', varargin{:});
end
