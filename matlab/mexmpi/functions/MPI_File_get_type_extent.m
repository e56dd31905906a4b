function varargout = MPI_File_get_type_extent(varargin)
    % MPI_File_get_type_extent  -  Extent of a type in a file.
    %
    %   extent = MPI_File_get_type_extent(file, type)
    %
    %   file: a file
    %   type: a datatype
    %   extent (output): a number of bytes
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(MPI_File_get_type_extent(file, MPI_DOUBLE) == 8)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_type_extent', varargin{:});
end
