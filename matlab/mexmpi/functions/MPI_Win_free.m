function varargout = MPI_Win_free(varargin)
    % MPI_Win_free  -  Let go of a window.
    %
    %   MPI_Win_free(win)
    %
    %   win: a window
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create(1);
    %   MPI_Win_free(win)
    %   assert(strcmp(failure(@() MPI_Win_load(win)), 'mpi:ERR_WIN'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_free', varargin{:});
end
