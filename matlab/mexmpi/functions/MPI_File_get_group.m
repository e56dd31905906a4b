function varargout = MPI_File_get_group(varargin)
    % MPI_File_get_group  -  Group that opened a file.
    %
    %   group = MPI_File_get_group(file)
    %
    %   file: a file
    %   group (output): a group
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(MPI_Group_size(MPI_File_get_group(file)) == n)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_group', varargin{:});
end
