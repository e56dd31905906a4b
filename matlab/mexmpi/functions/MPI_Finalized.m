function varargout = MPI_Finalized(varargin)
    % MPI_Finalized  -  Has MPI_Finalize been called?.
    %
    %   flag = MPI_Finalized()
    %
    %   flag (output): true or false
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   assert(isequal(MPI_Finalized(), false))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Finalized', varargin{:});
end
