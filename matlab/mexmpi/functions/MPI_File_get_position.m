function varargout = MPI_File_get_position(varargin)
    % MPI_File_get_position  -  The own pointer.
    %
    %   offset = MPI_File_get_position(file)
    %
    %   file: a file
    %   offset (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_seek(file, 24)
    %   assert(MPI_File_get_position(file) == 24)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_position', varargin{:});
end
