function varargout = MPI_Info_create(varargin)
    % MPI_Info_create  -  An empty set of hints.
    %
    %   info = MPI_Info_create()
    %
    %   info (output): hints
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   assert(MPI_Info_get_nkeys(hints) == 0)
    %   MPI_Info_free(hints)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_create', varargin{:});
end
