function varargout = MPI_Testany(varargin)
    % MPI_Testany  -  Is one of several operations complete?.
    %
    %   [flag, index, x, status] = MPI_Testany(requests)
    %
    %   requests: an array of requests
    %   flag (output): true or false
    %   index (output): place in the list, counted from 1
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   requests = [MPI_Irecv(last, 34), MPI_Irecv(last, 35)];
    %   flag = MPI_Testany(requests);
    %   assert(~flag)
    %   MPI_Barrier()
    %   MPI_Isend(rank, next, 35);
    %   while ~flag
    %       [flag, index, x] = MPI_Testany(requests);
    %   end
    %   assert(index == 2 && x == last)
    %   MPI_Barrier()
    %   MPI_Isend(rank, next, 34);
    %   MPI_Waitany(requests);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Testany', varargin{:});
end
