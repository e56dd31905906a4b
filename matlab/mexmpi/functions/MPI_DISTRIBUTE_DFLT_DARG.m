function varargout = MPI_DISTRIBUTE_DFLT_DARG(varargin)
    % MPI_DISTRIBUTE_DFLT_DARG  -  Default block (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_DISTRIBUTE_DFLT_DARG', varargin{:});
end
