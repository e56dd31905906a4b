function varargout = MPI_File_create_errhandler(varargin)
    % MPI_File_create_errhandler  -  An error handler for files.
    %
    %   errhandler = MPI_File_create_errhandler(f)
    %
    %   f: a function handle, or the name of a function
    %   errhandler (output): an error handler
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   global told
    %   told = [];
    %   file = MPI_File_open(scratch, 'w+');
    %   handler = MPI_File_create_errhandler('remember');
    %   MPI_File_set_errhandler(file, handler)
    %   MPI_File_call_errhandler(file, MPI_ERR_OTHER)
    %   assert(told == MPI_ERR_OTHER)
    %   MPI_File_set_errhandler(file, MPI_ERRORS_RETURN)
    %   MPI_File_close(file)
    %   MPI_Errhandler_free(handler)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_create_errhandler', varargin{:});
end
