function varargout = MPI_Get_elements_x(varargin)
    % MPI_Get_elements_x  -  As MPI_Get_elements, above 2^31 too.
    %
    %   count = MPI_Get_elements_x(status [, type])
    %
    %   status: a status
    %   type: a datatype (default: MPI_BYTE)
    %   count (output): a number
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(single(1:6), next, 27);
    %   [x, status] = MPI_Recv(last, 27);
    %   assert(MPI_Get_elements_x(status, MPI_FLOAT) == 6)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_elements_x', varargin{:});
end
