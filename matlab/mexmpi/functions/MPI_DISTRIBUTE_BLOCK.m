function varargout = MPI_DISTRIBUTE_BLOCK(varargin)
    % MPI_DISTRIBUTE_BLOCK  -  One block for each process (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_DISTRIBUTE_BLOCK', varargin{:});
end
