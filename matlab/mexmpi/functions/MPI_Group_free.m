function varargout = MPI_Group_free(varargin)
    % MPI_Group_free  -  Let go of a group.
    %
    %   MPI_Group_free(group)
    %
    %   group: a group; no more one after the call
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   group = MPI_Comm_group(w);
    %   MPI_Group_free(group)
    %   assert(strcmp(failure(@() MPI_Group_size(group)), 'mpi:ERR_GROUP'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Group_free', varargin{:});
end
