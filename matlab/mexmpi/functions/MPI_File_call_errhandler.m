function varargout = MPI_File_call_errhandler(varargin)
    % MPI_File_call_errhandler  -  Call the error handler of a file.
    %
    %   MPI_File_call_errhandler(file, code)
    %
    %   file: a file
    %   code: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   global told
    %   told = [];
    %   file = MPI_File_open(scratch, 'w+');
    %   handler = MPI_File_create_errhandler(@remember);
    %   MPI_File_set_errhandler(file, handler)
    %   MPI_File_call_errhandler(file, MPI_ERR_RANK)
    %   assert(told == MPI_ERR_RANK)
    %   MPI_File_set_errhandler(file, MPI_ERRORS_RETURN)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_call_errhandler', varargin{:});
end
