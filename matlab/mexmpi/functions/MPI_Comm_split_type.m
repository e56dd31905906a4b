function varargout = MPI_Comm_split_type(varargin)
    % MPI_Comm_split_type  -  A communicator of the ranks that share memory.
    %
    %   newcomm = MPI_Comm_split_type(comm [, type [, key [, info]]])
    %
    %   comm: a communicator
    %   type: a whole number (default: shared)
    %   key: a whole number (default: 0)
    %   info: hints (default: MPI_INFO_NULL)
    %   newcomm (output): a communicator
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   node = MPI_Comm_split_type(w);
    %   assert(MPI_Comm_size(node) >= 1 && MPI_Comm_size(node) <= n && MPI_Comm_compare(node, MPI_COMM_SELF) ~= MPI_IDENT)
    %   MPI_Comm_free(node)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_split_type', varargin{:});
end
