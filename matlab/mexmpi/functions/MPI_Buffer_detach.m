function varargout = MPI_Buffer_detach(varargin)
    % MPI_Buffer_detach  -  Take the buffer away again when all is sent; gives its size.
    %
    %   bytes = MPI_Buffer_detach()
    %
    %   bytes (output): a number
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Buffer_attach(7777)
    %   assert(MPI_Buffer_detach() == 7777)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Buffer_detach', varargin{:});
end
