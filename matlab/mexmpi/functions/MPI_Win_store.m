function varargout = MPI_Win_store(varargin)
    % MPI_Win_store  -  Write elements into this rank's part of a window.
    %
    %   MPI_Win_store(win, x [, displacement])
    %
    %   win: a window
    %   x: a full numeric, logical or char array
    %   displacement: a whole number, above 2^31 too (default: 0)
    %
    % An addition of mexmpi's.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create([4 5 6]);
    %   MPI_Win_store(win, 9, 1)
    %   assert(isequal(MPI_Win_load(win), [4; 9; 6]))
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_store', varargin{:});
end
