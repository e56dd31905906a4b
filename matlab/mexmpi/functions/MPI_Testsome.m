function varargout = MPI_Testsome(varargin)
    % MPI_Testsome  -  Which operations are complete?.
    %
    %   [indices, values, statuses] = MPI_Testsome(requests)
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
    %   requests = [MPI_Irecv(last, 41), MPI_Irecv(last, 42)];
    %   assert(isempty(MPI_Testsome(requests)))
    %   MPI_Barrier()
    %   MPI_Isend('x', next, 42);
    %   indices = [];
    %   while isempty(indices)
    %       [indices, values] = MPI_Testsome(requests);
    %   end
    %   assert(isequal(indices, 2) && isequal(values, {'x'}))
    %   MPI_Barrier()
    %   MPI_Isend('y', next, 41);
    %   MPI_Waitall(requests);

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Testsome', varargin{:});
end
