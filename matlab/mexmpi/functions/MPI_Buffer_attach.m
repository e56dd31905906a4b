function varargout = MPI_Buffer_attach(varargin)
    % MPI_Buffer_attach  -  Give MPI_Bsend a buffer of so many bytes.
    %
    %   MPI_Buffer_attach(bytes)
    %
    %   bytes: a whole number, above 2^31 too
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   MPI_Buffer_attach(5000)
    %   assert(strcmp(failure(@() MPI_Bsend(ones(1000), next)), 'mpi:ERR_BUFFER'))   % larger than the buffer
    %   assert(MPI_Buffer_detach() == 5000)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Buffer_attach', varargin{:});
end
