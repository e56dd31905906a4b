function varargout = MPI_File_get_errhandler(varargin)
    % MPI_File_get_errhandler  -  Error handler of a file.
    %
    %   errhandler = MPI_File_get_errhandler(file)
    %
    %   file: a file
    %   errhandler (output): an error handler
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(MPI_File_get_errhandler(file) == MPI_ERRORS_RETURN)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_errhandler', varargin{:});
end
