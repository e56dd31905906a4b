function varargout = MPI_Cancel(varargin)
    % MPI_Cancel  -  Ask for the end of a receive that nothing matches; MPI_Wait must follow.
    %
    %   MPI_Cancel(request)
    %
    %   request: what an operation that was begun has returned
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   request = MPI_Irecv(last, 25, w, 100);
    %   MPI_Cancel(request)
    %   [x, status] = MPI_Wait(request);
    %   assert(isempty(x) && status.cancelled)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Cancel', varargin{:});
end
