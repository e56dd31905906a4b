function varargout = MPI_UNDEFINED(varargin)
    % MPI_UNDEFINED  -  Neither a rank nor a color (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_UNDEFINED', varargin{:});
end
