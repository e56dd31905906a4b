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

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_test_inter', varargin{:});
end
