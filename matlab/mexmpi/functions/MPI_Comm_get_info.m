function varargout = MPI_Comm_get_info(varargin)
    % MPI_Comm_get_info  -  Hints of a communicator.
    %
    %   info = MPI_Comm_get_info(comm)
    %
    %   comm: a communicator
    %   info (output): hints
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   copy = MPI_Comm_dup(w);
    %   assert(MPI_Info_get_nkeys(MPI_Comm_get_info(copy)) >= 0)
    %   MPI_Comm_free(copy)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_get_info', varargin{:});
end
