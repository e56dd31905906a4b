function varargout = MPI_Get_count(varargin)
    % MPI_Get_count  -  How many elements have come (of a datatype: -32766 or so when not a whole number).
    %
    %   count = MPI_Get_count(status [, type])
    %
    %   status: a status
    %   type: a datatype (default: none)
    %   count (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(int16(1:6), next, 26);
    %   [x, status] = MPI_Recv(last, 26);
    %   assert(MPI_Get_count(status) == 6 && MPI_Get_count(status, MPI_INT32_T) == 3)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_count', varargin{:});
end
