function varargout = MPI_Intercomm_merge(varargin)
    % MPI_Intercomm_merge  -  One communicator of both sides.
    %
    %   newcomm = MPI_Intercomm_merge(comm [, high])
    %
    %   comm: an intercommunicator
    %   high: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if n > 1
    %       half = MPI_Comm_split(w, mod(rank, 2));
    %       other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 5);
    %       all_ranks = MPI_Intercomm_merge(other, mod(rank, 2));
    %       assert(MPI_Comm_size(all_ranks) == n && ~MPI_Comm_test_inter(all_ranks))
    %       MPI_Comm_free(all_ranks)
    %       MPI_Comm_free(other)
    %   end
    %   assert(~isempty(failure(@() MPI_Intercomm_merge(w))))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Intercomm_merge', varargin{:});
end
