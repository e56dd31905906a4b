function varargout = MPI_Info_delete(varargin)
    % MPI_Info_delete  -  Take a hint away.
    %
    %   MPI_Info_delete(info, key)
    %
    %   info: hints
    %   key: a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'colour', 'green')
    %   MPI_Info_delete(hints, 'colour')
    %   assert(MPI_Info_get_nkeys(hints) == 0)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_delete', varargin{:});
end
