function varargout = MPI_File_get_view(varargin)
    % MPI_File_get_view  -  The view of a file.
    %
    %   [displacement, etype, filetype, representation] = MPI_File_get_view(file)
    %
    %   file: a file
    %   displacement (output): the value
    %   etype (output): the value
    %   filetype (output): the value
    %   representation (output): the value
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_set_view(file, 16, MPI_DOUBLE)
    %   [displacement, etype, filetype, representation] = MPI_File_get_view(file);
    %   assert(displacement == 16 && MPI_Type_size(etype) == 8 && strcmp(representation, 'native'))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_view', varargin{:});
end
