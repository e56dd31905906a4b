function varargout = MPI_Publish_name(varargin)
    % MPI_Publish_name  -  Publish a port under a name.
    %
    %   MPI_Publish_name(service, info, port)
    %
    %   service: a text
    %   info: hints (default: MPI_INFO_NULL)
    %   port: a text
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if may_publish && rank == 0
    %       service = sprintf('mexmpi-%d', n);
    %       MPI_Publish_name(service, [], 'port-7')
    %       assert(strcmp(MPI_Lookup_name(service), 'port-7'))
    %       MPI_Unpublish_name(service, [], 'port-7')
    %   end
    %   assert(strcmp(failure(@() MPI_Publish_name('a', [], 5)), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Publish_name', varargin{:});
end
