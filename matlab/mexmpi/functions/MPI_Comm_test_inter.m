function varargout = MPI_Comm_test_inter(varargin)
    % MPI_Comm_test_inter  -  Is it an intercommunicator?.
    %
    %   flag = MPI_Comm_test_inter(comm)
    %
    %   comm: a communicator
    %   flag (output): true or false
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Comm_test_inter(w), false))
    %   if n > 1
    %       half = MPI_Comm_split(w, mod(rank, 2));
    %       other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 4);
    %       assert(isequal(MPI_Comm_test_inter(other), true))
    %       MPI_Comm_free(other)
    %   end

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_test_inter', varargin{:});
end
