function varargout = MPI_COMBINER_VECTOR(varargin)
    % MPI_COMBINER_VECTOR  -  Made by MPI_Type_vector (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_COMBINER_VECTOR', varargin{:});
end
