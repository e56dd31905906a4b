function varargout = MPI_Comm_accept(varargin)
    % MPI_Comm_accept  -  Wait for a connection.
    %
    %   newcomm = MPI_Comm_accept(port [, info [, root [, comm]]])
    %
    %   port: a text
    %   info: hints (default: MPI_INFO_NULL)
    %   root: a whole number (default: 0)
    %   comm: a communicator (default: MPI_COMM_SELF)
    %   newcomm (output): a communicator
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if may_connect && n > 1 && rank < 2
    %       if rank == 0
    %           port = MPI_Open_port();
    %           MPI_Send(port, 1, 60)
    %           joined = MPI_Comm_accept(port);
    %           assert(MPI_Recv(0, 1, joined) == 5 && MPI_Comm_remote_size(joined) == 1)
    %           MPI_Comm_disconnect(joined)
    %           MPI_Close_port(port)
    %       else
    %           joined = MPI_Comm_connect(MPI_Recv(0, 60));
    %           MPI_Send(5, 0, 1, joined)
    %           MPI_Comm_disconnect(joined)
    %       end
    %   end
    %   assert(strcmp(failure(@() MPI_Comm_accept(0)), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_accept', varargin{:});
end
