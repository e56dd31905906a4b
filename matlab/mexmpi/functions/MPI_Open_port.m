function varargout = MPI_Open_port(varargin)
    % MPI_Open_port  -  A name by which other jobs can connect.
    %
    %   port = MPI_Open_port([info])
    %
    %   info: hints (default: MPI_INFO_NULL)
    %   port (output): a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if may_connect
    %       port = MPI_Open_port();
    %       assert(~isempty(port))
    %       MPI_Close_port(port)
    %   end
    %   assert(strcmp(failure(@() MPI_Open_port(0)), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Open_port', varargin{:});
end
