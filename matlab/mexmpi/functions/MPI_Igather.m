function varargout = MPI_Igather(varargin)
    % MPI_Igather  -  Begin a gather of arrays of the same class and size.
    %
    %   request = MPI_Igather(x [, root [, comm]])
    %
    %   x: a full numeric, logical or char array
    %   root: a rank (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   y = MPI_Wait(MPI_Igather(rank, 0));
    %   assert(rank > 0 && isempty(y) || isequal(y, 0:n - 1))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Igather', varargin{:});
end
