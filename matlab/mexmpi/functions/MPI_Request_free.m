function varargout = MPI_Request_free(varargin)
    % MPI_Request_free  -  Let go of an operation; a send goes on until it is done.
    %
    %   MPI_Request_free(request)
    %
    %   request: what an operation that was begun has returned
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   before = mexmpi_state().requests;
    %   request = MPI_Isend('on its way', next, 43);
    %   MPI_Request_free(request)
    %   assert(mexmpi_state().requests == before && strcmp(MPI_Recv(last, 43), 'on its way'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Request_free', varargin{:});
end
