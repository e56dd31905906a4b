function varargout = MPI_Type_free(varargin)
    % MPI_Type_free  -  Let go of a type.
    %
    %   MPI_Type_free(type)
    %
    %   type: a datatype; no more one after the call
    %
    % Since MPI 1.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   type = MPI_Type_contiguous(3, MPI_DOUBLE);
    %   MPI_Type_free(type)
    %   assert(strcmp(failure(@() MPI_Type_size(type)), 'mpi:ERR_TYPE'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_free', varargin{:});
end
