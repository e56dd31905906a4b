function varargout = MPI_Type_create_darray(varargin)
    % MPI_Type_create_darray  -  The part of one rank of a distributed array.
    %
    %   newtype = MPI_Type_create_darray(size, rank, sizes, distributions, arguments, processes, type)
    %
    %   size: a whole number
    %   rank: a whole number
    %   sizes: whole numbers
    %   distributions: whole numbers
    %   arguments: whole numbers
    %   processes: whole numbers
    %   type: a datatype
    %   newtype (output): a datatype
    %
    % Since MPI 2.0.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   part = MPI_Type_create_darray(2, 1, [4, 6], [MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK], ...
    %                                 [MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG], [1, 2], MPI_DOUBLE);
    %   assert(MPI_Type_size(part) == 4 * 3 * 8)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Type_create_darray', varargin{:});
end
