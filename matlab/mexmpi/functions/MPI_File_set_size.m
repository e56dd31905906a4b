function varargout = MPI_File_set_size(varargin)
    % MPI_File_set_size  -  Cut or lengthen a file.
    %
    %   MPI_File_set_size(file, bytes)
    %
    %   file: a file
    %   bytes: a whole number: bytes, or units of the view
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   MPI_File_set_size(file, 1000)
    %   assert(MPI_File_get_size(file) == 1000)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_set_size', varargin{:});
end
