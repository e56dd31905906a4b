function varargout = MPI_Info_get_valuelen(varargin)
    % MPI_Info_get_valuelen  -  Length of the hint of a key, and whether there is one.
    %
    %   [length, flag] = MPI_Info_get_valuelen(info, key)
    %
    %   info: hints
    %   key: a text
    %   length (output): a number
    %   flag (output): true or false
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   hints = MPI_Info_create();
    %   MPI_Info_set(hints, 'colour', 'green')
    %   [length, flag] = MPI_Info_get_valuelen(hints, 'colour');
    %   assert(length == 5 && flag)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Info_get_valuelen', varargin{:});
end
