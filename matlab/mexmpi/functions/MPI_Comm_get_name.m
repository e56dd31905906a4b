function varargout = MPI_Comm_get_name(varargin)
    % MPI_Comm_get_name  -  Name of a communicator.
    %
    %   name = MPI_Comm_get_name(comm)
    %
    %   comm: a communicator
    %   name (output): a text
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(strcmp(MPI_Comm_get_name(w), 'MPI_COMM_WORLD'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_get_name', varargin{:});
end
