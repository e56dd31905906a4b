function varargout = MPI_Wait(varargin)
    % MPI_Wait  -  Wait for an operation; gives what it has received.
    %
    %   [x, status] = MPI_Wait(request)
    %
    %   request: what an operation that was begun has returned
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Irecv(last, 30);
    %   MPI_Isend(rank, next, 30);
    %   [x, status] = MPI_Wait(request);
    %   assert(x == last && status.source == last && isempty(MPI_Wait(request)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Wait', varargin{:});
end
