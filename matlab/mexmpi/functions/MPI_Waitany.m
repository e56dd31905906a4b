function varargout = MPI_Waitany(varargin)
    % MPI_Waitany  -  Wait for one of several operations; [] when none is active.
    %
    %   [index, x, status] = MPI_Waitany(requests)
    %
    %   requests: an array of requests
    %   index (output): place in the list, counted from 1
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   requests = [MPI_Irecv(last, 32), MPI_Irecv(last, 33)];
    %   MPI_Isend('second', next, 33);
    %   [index, x, status] = MPI_Waitany(requests);
    %   assert(index == 2 && strcmp(x, 'second') && status.tag == 33)
    %   MPI_Barrier()
    %   MPI_Isend('first', next, 32);
    %   assert(MPI_Waitany(requests) == 1 && isempty(MPI_Waitany(requests)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Waitany', varargin{:});
end
