function varargout = MPI_Comm_get_attr(varargin)
    % MPI_Comm_get_attr  -  The value of a key, and whether there is one.
    %
    %   [x, flag] = MPI_Comm_get_attr(comm, keyval)
    %
    %   comm: a communicator
    %   keyval: a whole number
    %   x (output): the value
    %   flag (output): true or false
    %
    % Since MPI 2.0. MPI-TB had it as MPI_Attr_get.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   [largest, flag] = MPI_Comm_get_attr(w, MPI_TAG_UB);
    %   assert(flag && largest >= 32767)

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_get_attr', varargin{:});
end
