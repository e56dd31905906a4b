function varargout = MPI_Mrecv(varargin)
    % MPI_Mrecv  -  Receive the message that MPI_Mprobe took hold of.
    %
    %   [x, status] = MPI_Mrecv(message)
    %
    %   message: what MPI_Mprobe has returned
    %   x (output): the value
    %   status (output): struct with source, tag, error, count, bytes, cancelled
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(magic(5), next, 23);
    %   [x, status] = MPI_Mrecv(MPI_Mprobe(last, 23));
    %   assert(isequal(x, magic(5)) && status.count == 25)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Mrecv', varargin{:});
end
