function varargout = MPI_Testall(varargin)
    % MPI_Testall  -  Are all of several operations complete?.
    %
    %   [flag, values, statuses] = MPI_Testall(requests)
    %
    %   requests: an array of requests
    %   flag (output): true or false
    %   values (output): a cell, one value for each
    %   statuses (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   requests = [MPI_Irecv(last, 37), MPI_Irecv(last, 38)];
    %   assert(~MPI_Testall(requests))
    %   MPI_Barrier()
    %   MPI_Isend('a', next, 37);
    %   MPI_Isend('b', next, 38);
    %   flag = false;
    %   while ~flag
    %       [flag, values, statuses] = MPI_Testall(requests);
    %   end
    %   assert(isequal(values, {'a', 'b'}) && statuses(2).tag == 38)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Testall', varargin{:});
end
