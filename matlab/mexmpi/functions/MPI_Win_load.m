function varargout = MPI_Win_load(varargin)
    % MPI_Win_load  -  The elements of this rank's part of a window (of a shared one: of any rank's).
    %
    %   x = MPI_Win_load(win [, rank])
    %
    %   win: a window
    %   rank: a whole number (default: any, or as many as fit)
    %   x (output): the value
    %
    % An addition of mexmpi's.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create([4 5 6]);
    %   assert(isequal(MPI_Win_load(win), [4; 5; 6]))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_load', varargin{:});
end
