function varargout = MPI_Lookup_name(varargin)
    % MPI_Lookup_name  -  The port that was published under a name.
    %
    %   port = MPI_Lookup_name(service [, info])
    %
    %   service: a text
    %   info: hints (default: MPI_INFO_NULL)
    %   port (output): a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if may_publish && rank == 0
    %       MPI_Publish_name('mexmpi-look', [], 'door-5')
    %       assert(strcmp(MPI_Lookup_name('mexmpi-look'), 'door-5'))
    %       MPI_Unpublish_name('mexmpi-look', [], 'door-5')
    %   end
    %   assert(strcmp(failure(@() MPI_Lookup_name(5)), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Lookup_name', varargin{:});
end
