function varargout = MPI_Win_attach(varargin)
    % MPI_Win_attach  -  Attach a copy of an array; gives the region that other ranks name as displacement.
    %
    %   region = MPI_Win_attach(win, x)
    %
    %   win: a window
    %   x: a full numeric, logical or char array
    %   region (output): the value
    %
    % Since MPI 3.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   win = MPI_Win_create_dynamic();
    %   region = MPI_Win_attach(win, zeros(7, 1));
    %   assert(isa(region, 'int64') && region(2) == 7)
    %   MPI_Win_detach(win, region)
    %   MPI_Win_free(win)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Win_attach', varargin{:});
end
