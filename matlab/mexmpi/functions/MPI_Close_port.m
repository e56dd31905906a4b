function varargout = MPI_Close_port(varargin)
    % MPI_Close_port  -  Close a port.
    %
    %   MPI_Close_port(port)
    %
    %   port: a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if may_connect
    %       first = MPI_Open_port();
    %       MPI_Close_port(first)
    %   end
    %   assert(strcmp(failure(@() MPI_Close_port(0)), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Close_port', varargin{:});
end
