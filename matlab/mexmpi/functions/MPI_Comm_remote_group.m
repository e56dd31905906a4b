function varargout = MPI_Comm_remote_group(varargin)
    % MPI_Comm_remote_group  -  Group of the other side.
    %
    %   group = MPI_Comm_remote_group(comm)
    %
    %   comm: an intercommunicator
    %   group (output): a group
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if n > 1
    %       half = MPI_Comm_split(w, mod(rank, 2));
    %       other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 3);
    %       assert(MPI_Group_rank(MPI_Comm_remote_group(other)) == MPI_UNDEFINED)
    %       MPI_Comm_free(other)
    %   end
    %   assert(~isempty(failure(@() MPI_Comm_remote_group(w))))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_remote_group', varargin{:});
end
