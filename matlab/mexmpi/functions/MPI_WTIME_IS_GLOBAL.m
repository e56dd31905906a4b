function varargout = MPI_WTIME_IS_GLOBAL(varargin)
    % MPI_WTIME_IS_GLOBAL  -  Key: are the clocks of all ranks the same? (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_WTIME_IS_GLOBAL', varargin{:});
end
