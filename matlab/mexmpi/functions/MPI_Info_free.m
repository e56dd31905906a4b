function varargout = MPI_Info_free(varargin)
    % MPI_Info_free  -  Let go of hints.
    %
    %   MPI_Info_free(info)
    %
    %   info: hints; no more there after the call
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_free(hints)
    %   assert(strcmp(failure(@() MPI_Info_get_nkeys(hints)), 'mpi:ERR_INFO'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_free', varargin{:});
end
