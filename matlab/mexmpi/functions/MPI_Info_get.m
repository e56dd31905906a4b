function varargout = MPI_Info_get(varargin)
    % MPI_Info_get  -  The hint of a key, and whether there is one.
    %
    %   [text, flag] = MPI_Info_get(info, key)
    %
    %   info: hints
    %   key: a text
    %   text (output): the value
    %   flag (output): true or false
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'colour', 'green')
    %   [text, flag] = MPI_Info_get(hints, 'colour');
    %   assert(strcmp(text, 'green') && flag)
    %   [text, flag] = MPI_Info_get(hints, 'taste');
    %   assert(isempty(text) && ~flag)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_get', varargin{:});
end
