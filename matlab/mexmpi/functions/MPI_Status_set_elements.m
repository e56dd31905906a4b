function varargout = MPI_Status_set_elements(varargin)
    % MPI_Status_set_elements  -  A status that says so many elements.
    %
    %   status = MPI_Status_set_elements(status, type, count)
    %
    %   status: a status
    %   type: a datatype
    %   count: a whole number
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(0, next, 28);
    %   [x, status] = MPI_Recv(last, 28);
    %   status = MPI_Status_set_elements(status, MPI_DOUBLE, 9);
    %   assert(MPI_Get_elements(status, MPI_DOUBLE) == 9)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Status_set_elements', varargin{:});
end
