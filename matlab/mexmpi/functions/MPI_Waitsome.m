function varargout = MPI_Waitsome(varargin)
    % MPI_Waitsome  -  Wait until at least one operation is complete; gives all that are.
    %
    %   [indices, values, statuses] = MPI_Waitsome(requests)
    %
    %   requests: an array of requests
    %   indices (output): place in the list, counted from 1
    %   values (output): a cell, one value for each
    %   statuses (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   requests = [MPI_Irecv(last, 39), MPI_Irecv(last, 40)];
    %   MPI_Isend('x', next, 40);
    %   [indices, values, statuses] = MPI_Waitsome(requests);
    %   assert(isequal(indices, 2) && isequal(values, {'x'}) && statuses.tag == 40)
    %   MPI_Barrier()
    %   MPI_Isend('y', next, 39);
    %   MPI_Waitsome(requests);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Waitsome', varargin{:});
end
