function varargout = MPI_File_get_atomicity(varargin)
    % MPI_File_get_atomicity  -  Whether overlapping writes happen one after the other.
    %
    %   flag = MPI_File_get_atomicity(file)
    %
    %   file: a file
    %   flag (output): true or false
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(isequal(MPI_File_get_atomicity(file), false))
    %   MPI_File_set_atomicity(file, true)
    %   assert(isequal(MPI_File_get_atomicity(file), true))
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_atomicity', varargin{:});
end
