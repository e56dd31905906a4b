function varargout = MPI_Status_set_elements_x(varargin)
    % MPI_Status_set_elements_x  -  As MPI_Status_set_elements, above 2^31 too.
    %
    %   status = MPI_Status_set_elements_x(status, type, count)
    %
    %   status: a status
    %   type: a datatype
    %   count: a whole number, above 2^31 too
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(0, next, 28);
    %   [x, status] = MPI_Recv(last, 28);
    %   status = MPI_Status_set_elements_x(status, MPI_DOUBLE, 3e9);
    %   assert(MPI_Get_elements_x(status, MPI_DOUBLE) == 3e9)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Status_set_elements_x', varargin{:});
end
