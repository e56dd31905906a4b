function varargout = MPI_Info_set(varargin)
    % MPI_Info_set  -  Set a hint.
    %
    %   MPI_Info_set(info, key, text)
    %
    %   info: hints
    %   key: a text
    %   text: a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'colour', 'blue')
    %   assert(strcmp(MPI_Info_get(hints, 'colour'), 'blue'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_set', varargin{:});
end
