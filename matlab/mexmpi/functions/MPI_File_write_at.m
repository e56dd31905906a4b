function varargout = MPI_File_write_at(varargin)
    % MPI_File_write_at  -  Write the elements of an array at an offset.
    %
    %   status = MPI_File_write_at(file, offset, x)
    %
    %   file: a file
    %   offset: a whole number: bytes, or units of the view
    %   x: a full numeric, logical or char array
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   status = MPI_File_write_at(file, 3 * rank, uint8([1 2 rank]));
    %   assert(status.bytes == 3)
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(isequal(MPI_File_read_at(file, 3 * next, 3, 'uint8'), uint8([1; 2; next])))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_write_at', varargin{:});
end
