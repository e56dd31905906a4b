function varargout = MPI_TAG_UB(varargin)
    % MPI_TAG_UB  -  Key of the largest tag (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_TAG_UB', varargin{:});
end
