function varargout = MPI_Info_get_nthkey(varargin)
    % MPI_Info_get_nthkey  -  Key of the hint number n (0, 1, ...).
    %
    %   key = MPI_Info_get_nthkey(info, n)
    %
    %   info: hints
    %   n: a whole number
    %   key (output): a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'colour', 'green')
    %   assert(strcmp(MPI_Info_get_nthkey(hints, 0), 'colour'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_get_nthkey', varargin{:});
end
