function varargout = MPI_Get_processor_name(varargin)
    % MPI_Get_processor_name  -  Name of the host of this rank.
    %
    %   name = MPI_Get_processor_name()
    %
    %   name (output): a text
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   name = MPI_Get_processor_name();
    %   assert(ischar(name) && ~isempty(name))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Get_processor_name', varargin{:});
end
