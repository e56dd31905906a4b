function varargout = MPI_ERR_RANK(varargin)
    % MPI_ERR_RANK  -  Error class: no such rank (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ERR_RANK', varargin{:});
end
