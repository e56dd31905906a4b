function varargout = MPI_SIMILAR(varargin)
    % MPI_SIMILAR  -  Same processes in another order (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_SIMILAR', varargin{:});
end
