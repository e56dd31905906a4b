function varargout = MPI_File_iread_at(varargin)
    % MPI_File_iread_at  -  Begin to read at an offset.
    %
    %   request = MPI_File_iread_at(file, offset, count [, class])
    %
    %   file: a file
    %   offset: a whole number: bytes, or units of the view
    %   count: a whole number, above 2^31 too
    %   class: a text (default: double)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_write_at(file, 16 * rank, [rank; 2]);
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(isequal(MPI_Wait(MPI_File_iread_at(file, 16 * next, 2)), [next; 2]))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_iread_at', varargin{:});
end
