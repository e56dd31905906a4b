function varargout = MPI_COMBINER_NAMED(varargin)
    % MPI_COMBINER_NAMED  -  A predefined type (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMBINER_NAMED', varargin{:});
end
