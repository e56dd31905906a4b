function varargout = MPI_Get_elements(varargin)
    % MPI_Get_elements  -  How many basic elements have come.
    %
    %   count = MPI_Get_elements(status [, type])
    %
    %   status: a status
    %   type: a datatype (default: MPI_BYTE)
    %   count (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(1:6, next, 27);
    %   [x, status] = MPI_Recv(last, 27);
    %   assert(MPI_Get_elements(status, MPI_DOUBLE) == 6)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_elements', varargin{:});
end
