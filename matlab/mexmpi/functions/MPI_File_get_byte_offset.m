function varargout = MPI_File_get_byte_offset(varargin)
    % MPI_File_get_byte_offset  -  Where an offset of the view lies in the file.
    %
    %   bytes = MPI_File_get_byte_offset(file, offset)
    %
    %   file: a file
    %   offset: a whole number: bytes, or units of the view
    %   bytes (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_set_view(file, 100, MPI_DOUBLE)
    %   assert(MPI_File_get_byte_offset(file, 3) == 124)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_byte_offset', varargin{:});
end
