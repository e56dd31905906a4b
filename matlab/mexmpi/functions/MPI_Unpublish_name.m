function varargout = MPI_Unpublish_name(varargin)
    % MPI_Unpublish_name  -  Take a published name back.
    %
    %   MPI_Unpublish_name(service, info, port)
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
    %       MPI_Publish_name('mexmpi-away', [], 'port-7')
    %       MPI_Unpublish_name('mexmpi-away', [], 'port-7')
    %   end
    %   assert(strcmp(failure(@() MPI_Unpublish_name('a', [], 5)), 'mpi:badInput'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Unpublish_name', varargin{:});
end
