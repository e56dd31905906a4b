function varargout = MPI_Imrecv(varargin)
    % MPI_Imrecv  -  Begin to receive the message that MPI_Mprobe took hold of.
    %
    %   request = MPI_Imrecv(message)
    %
    %   message: what MPI_Mprobe has returned
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Isend(magic(5), next, 24);
    %   request = MPI_Imrecv(MPI_Mprobe(last, 24));
    %   assert(isequal(MPI_Wait(request), magic(5)))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Imrecv', varargin{:});
end
