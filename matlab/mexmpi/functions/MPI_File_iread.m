function varargout = MPI_File_iread(varargin)
    % MPI_File_iread  -  Begin to read at the own pointer.
    %
    %   request = MPI_File_iread(file, count [, class])
    %
    %   file: a file
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
    %   MPI_File_seek(file, 16 * next)
    %   assert(isequal(MPI_Wait(MPI_File_iread(file, 2)), [next; 2]))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_iread', varargin{:});
end
