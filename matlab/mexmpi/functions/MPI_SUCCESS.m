function varargout = MPI_SUCCESS(varargin)
    % MPI_SUCCESS  -  No error (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_SUCCESS', varargin{:});
end
