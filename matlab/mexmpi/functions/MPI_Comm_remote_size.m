function varargout = MPI_Comm_remote_size(varargin)
    % MPI_Comm_remote_size  -  Number of ranks of the other side.
    %
    %   size = MPI_Comm_remote_size(comm)
    %
    %   comm: an intercommunicator
    %   size (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if n > 1
    %       half = MPI_Comm_split(w, mod(rank, 2));
    %       other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 3);
    %       assert(MPI_Comm_remote_size(other) == numel(1 - mod(rank, 2):2:n - 1))
    %       MPI_Comm_free(other)
    %   end
    %   assert(~isempty(failure(@() MPI_Comm_remote_size(w))))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_remote_size', varargin{:});
end
