function varargout = MPI_COMBINER_CONTIGUOUS(varargin)
    % MPI_COMBINER_CONTIGUOUS  -  Made by MPI_Type_contiguous (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMBINER_CONTIGUOUS', varargin{:});
end
