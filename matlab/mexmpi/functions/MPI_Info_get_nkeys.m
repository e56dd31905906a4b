function varargout = MPI_Info_get_nkeys(varargin)
    % MPI_Info_get_nkeys  -  Number of hints.
    %
    %   count = MPI_Info_get_nkeys(info)
    %
    %   info: hints
    %   count (output): a number
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'a', '1')
    %   MPI_Info_set(hints, 'b', '2')
    %   assert(MPI_Info_get_nkeys(hints) == 2)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_get_nkeys', varargin{:});
end
