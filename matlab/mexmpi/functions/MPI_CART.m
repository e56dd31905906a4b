function varargout = MPI_CART(varargin)
    % MPI_CART  -  A grid (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_CART', varargin{:});
end
