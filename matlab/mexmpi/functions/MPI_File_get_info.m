function varargout = MPI_File_get_info(varargin)
    % MPI_File_get_info  -  Hints of a file.
    %
    %   info = MPI_File_get_info(file)
    %
    %   file: a file
    %   info (output): hints
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   file = MPI_File_open(scratch, 'w+');
    %   assert(MPI_Info_get_nkeys(MPI_File_get_info(file)) >= 0)
    %   MPI_File_close(file)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_File_get_info', varargin{:});
end
