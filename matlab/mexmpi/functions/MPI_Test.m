function varargout = MPI_Test(varargin)
    % MPI_Test  -  Is an operation complete? Gives what it has received.
    %
    %   [flag, x, status] = MPI_Test(request)
    %
    %   request: what an operation that was begun has returned
    %   flag (output): true or false
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Irecv(last, 31);
    %   assert(~MPI_Test(request))
    %   MPI_Barrier()
    %   MPI_Isend(rank, next, 31);
    %   flag = false;
    %   while ~flag
    %       [flag, x, status] = MPI_Test(request);
    %   end
    %   assert(x == last && status.tag == 31)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Test', varargin{:});
end
