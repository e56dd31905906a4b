function varargout = MPI_File_get_amode(varargin)
    % MPI_File_get_amode  -  Mode in which a file was opened.
    %
    %   mode = MPI_File_get_amode(file)
    %
    %   file: a file
    %   mode (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(MPI_File_get_amode(file) == MPI_MODE_RDWR + MPI_MODE_CREATE)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_amode', varargin{:});
end
