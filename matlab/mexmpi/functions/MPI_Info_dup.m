function varargout = MPI_Info_dup(varargin)
    % MPI_Info_dup  -  A copy of hints.
    %
    %   newinfo = MPI_Info_dup(info)
    %
    %   info: hints
    %   newinfo (output): hints
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'colour', 'green')
    %   copy = MPI_Info_dup(hints);
    %   MPI_Info_set(hints, 'colour', 'red')
    %   assert(strcmp(MPI_Info_get(copy, 'colour'), 'green'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_dup', varargin{:});
end
