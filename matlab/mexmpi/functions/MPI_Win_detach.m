function varargout = MPI_Win_detach(varargin)
    % MPI_Win_detach  -  Take attached memory away.
    %
    %   MPI_Win_detach(win, region)
    %
    %   win: a window
    %   region: a full numeric, logical or char array
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create_dynamic();
    %   region = MPI_Win_attach(win, zeros(7, 1));
    %   MPI_Win_detach(win, region)
    %   assert(strcmp(failure(@() MPI_Win_detach(win, region)), 'mpi:ERR_RMA_ATTACH'))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_detach', varargin{:});
end
