function varargout = MPI_File_set_atomicity(varargin)
    % MPI_File_set_atomicity  -  Whether overlapping writes happen one after the other.
    %
    %   MPI_File_set_atomicity(file, flag)
    %
    %   file: a file
    %   flag: a whole number
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_set_atomicity(file, true)
    %   assert(MPI_File_get_atomicity(file))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_set_atomicity', varargin{:});
end
