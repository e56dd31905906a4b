function varargout = MPI_Intercomm_create(varargin)
    % MPI_Intercomm_create  -  An intercommunicator of two groups.
    %
    %   newcomm = MPI_Intercomm_create(local, leader, peer, remote [, tag])
    %
    %   local: a communicator
    %   leader: a whole number
    %   peer: a communicator
    %   remote: a whole number
    %   tag: a whole number (default: 0)
    %   newcomm (output): a communicator
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if n > 1
    %       half = MPI_Comm_split(w, mod(rank, 2));
    %       other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 4);
    %       assert(MPI_Comm_test_inter(other))
    %       if MPI_Comm_rank(other) == 0
    %           MPI_Isend(rank, 0, 1, other);
    %           assert(MPI_Recv(0, 1, other) == 1 - rank)
    %       end
    %       MPI_Comm_free(other)
    %   end
    %   assert(~isempty(failure(@() MPI_Intercomm_create(w, n, w, 0))))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Intercomm_create', varargin{:});
end
