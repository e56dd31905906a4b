function varargout = MPI_Request_get_status(varargin)
    % MPI_Request_get_status  -  Is an operation complete? Does not complete it.
    %
    %   [flag, status] = MPI_Request_get_status(request)
    %
    %   request: what an operation that was begun has returned
    %   flag (output): true or false
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Irecv(last, 44);
    %   assert(~MPI_Request_get_status(request))
    %   MPI_Barrier()
    %   MPI_Isend('x', next, 44);
    %   while ~MPI_Request_get_status(request)
    %   end
    %   assert(strcmp(MPI_Wait(request), 'x'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Request_get_status', varargin{:});
end
