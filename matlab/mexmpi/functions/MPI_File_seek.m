function varargout = MPI_File_seek(varargin)
    % MPI_File_seek  -  Move the own pointer (MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END).
    %
    %   MPI_File_seek(file, offset [, whence])
    %
    %   file: a file
    %   offset: a whole number: bytes, or units of the view
    %   whence: a whole number (default: MPI_SEEK_SET)
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_at(file, 16 * rank, [rank; 2]);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   MPI_File_seek(file, 8)
    %   assert(MPI_File_get_position(file) == 8)
    %   MPI_File_seek(file, -8, MPI_SEEK_CUR)
    %   assert(MPI_File_read(file, 1) == 0)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_seek', varargin{:});
end
