function varargout = MPI_Get_version(varargin)
    % MPI_Get_version  -  Version of the MPI standard of the library.
    %
    %   [version, subversion] = MPI_Get_version()
    %
    %   version (output): a number
    %   subversion (output): a number
    %
    % Since MPI 1.2. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [version, subversion] = MPI_Get_version();
    %   assert(version >= 3 && subversion >= 0)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_version', varargin{:});
end
