function varargout = MPI_DISTRIBUTE_CYCLIC(varargin)
    % MPI_DISTRIBUTE_CYCLIC  -  Elements dealt out in turn (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_DISTRIBUTE_CYCLIC', varargin{:});
end
