function varargout = MPI_APPNUM(varargin)
    % MPI_APPNUM  -  Key of the number of this program in the job (a number).

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_APPNUM', varargin{:});
end
