function varargout = MPI_CONGRUENT(varargin)
    % MPI_CONGRUENT  -  Same ranks in the same order (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_CONGRUENT', varargin{:});
end
