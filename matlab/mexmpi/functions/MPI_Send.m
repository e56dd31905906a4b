function varargout = MPI_Send(varargin)
    % MPI_Send  -  Send a value; with a datatype, the raw data of an array.
    %
    %   MPI_Send(x, dest [, tag [, comm [, type [, count]]]])
    %
    %   x: any value but function handles and objects
    %   dest: the rank to send to, or MPI_PROC_NULL
    %   tag: a whole number from 0 to MPI_TAG_UB (default: 0)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   type: a datatype (default: none)
    %   count: a whole number (default: any, or as many as fit)
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if n > 1 && rank == 0
    %       MPI_Send({'any value', magic(4)}, 1, 7)
    %   elseif rank == 1
    %       [x, status] = MPI_Recv(0, 7);
    %       assert(isequal(x, {'any value', magic(4)}) && status.source == 0)
    %   elseif n == 1
    %       MPI_Send(5, 0, 7)
    %       assert(MPI_Recv(0, 7) == 5)
    %   end

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Send', varargin{:});
end
