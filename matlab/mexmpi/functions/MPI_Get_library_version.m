function varargout = MPI_Get_library_version(varargin)
    % MPI_Get_library_version  -  The library's own name and version.
    %
    %   text = MPI_Get_library_version()
    %
    %   text (output): a text
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(any(regexp(MPI_Get_library_version(), 'Open MPI|MPICH|Intel')))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_library_version', varargin{:});
end
