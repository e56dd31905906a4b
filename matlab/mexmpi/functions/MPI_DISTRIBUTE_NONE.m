function varargout = MPI_DISTRIBUTE_NONE(varargin)
    % MPI_DISTRIBUTE_NONE  -  Not distributed (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_DISTRIBUTE_NONE', varargin{:});
end
