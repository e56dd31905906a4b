function varargout = MPI_File_get_position_shared(varargin)
    % MPI_File_get_position_shared  -  The shared pointer.
    %
    %   offset = MPI_File_get_position_shared(file)
    %
    %   file: a file
    %   offset (output): a number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_seek_shared(file, 40)
    %   assert(MPI_File_get_position_shared(file) == 40)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_position_shared', varargin{:});
end
