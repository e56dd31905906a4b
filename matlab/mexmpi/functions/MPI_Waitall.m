function varargout = MPI_Waitall(varargin)
    % MPI_Waitall  -  Wait for all of several operations.
    %
    %   [values, statuses] = MPI_Waitall(requests)
    %
    %   requests: an array of requests
    %   values (output): a cell, one value for each
    %   statuses (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   requests = [MPI_Irecv(last, 36), MPI_Isend(rank, next, 36)];
    %   [values, statuses] = MPI_Waitall(requests);
    %   assert(values{1} == last && isempty(values{2}) && statuses(1).source == last)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Waitall', varargin{:});
end
