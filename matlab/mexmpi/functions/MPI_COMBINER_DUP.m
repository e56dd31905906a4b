function varargout = MPI_COMBINER_DUP(varargin)
    % MPI_COMBINER_DUP  -  Made by MPI_Type_dup (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMBINER_DUP', varargin{:});
end
