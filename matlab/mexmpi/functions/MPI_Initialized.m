function varargout = MPI_Initialized(varargin)
    % MPI_Initialized  -  Has MPI_Init been called?.
    %
    %   flag = MPI_Initialized()
    %
    %   flag (output): true or false
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(islogical(MPI_Initialized()) && MPI_Initialized())

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Initialized', varargin{:});
end
