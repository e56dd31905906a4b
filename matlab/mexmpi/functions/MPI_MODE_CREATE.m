function varargout = MPI_MODE_CREATE(varargin)
    % MPI_MODE_CREATE  -  Make the file if there is none (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_MODE_CREATE', varargin{:});
end
