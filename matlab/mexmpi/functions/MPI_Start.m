function varargout = MPI_Start(varargin)
    % MPI_Start  -  Start a prepared operation, with new data of the same size if given.
    %
    %   MPI_Start(request [, x])
    %
    %   request: what an operation that was begun has returned
    %   x: any value but function handles and objects (default: none)
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   send = MPI_Send_init('a', next, 17);
    %   MPI_Start(send, 'b')                     % new data of the same size
    %   assert(MPI_Recv(last, 17) == 'b')
    %   MPI_Wait(send);
    %   MPI_Request_free(send)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Start', varargin{:});
end
