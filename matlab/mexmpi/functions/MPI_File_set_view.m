function varargout = MPI_File_set_view(varargin)
    % MPI_File_set_view  -  Which bytes of a file this rank sees, and in which unit offsets count.
    %
    %   MPI_File_set_view(file, displacement [, etype [, filetype [, representation [, info]]]])
    %
    %   file: a file
    %   displacement: a whole number: bytes, or units of the view
    %   etype: a datatype (default: MPI_BYTE)
    %   filetype: a datatype (default: none)
    %   representation: a text (default: native)
    %   info: hints (default: MPI_INFO_NULL)
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   stripe = MPI_Type_create_resized(MPI_DOUBLE, 0, 8 * n);  % this rank's doubles: every n-th
    %   MPI_Type_commit(stripe)
    %   MPI_File_set_view(file, 8 * rank, MPI_DOUBLE, stripe)
    %   MPI_File_write_at_all(file, 0, rank * [1; 1; 1]);
    %   MPI_File_set_view(file, 0, MPI_DOUBLE)
    %   MPI_File_sync(file)
    %   MPI_Barrier()
    %   assert(isequal(MPI_File_read_at(file, 0, 3 * n), repmat((0:n - 1)', 3, 1)))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_set_view', varargin{:});
end
