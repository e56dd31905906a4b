function varargout = MPI_ANY_TAG(varargin)
    % MPI_ANY_TAG  -  Any tag (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_ANY_TAG', varargin{:});
end
