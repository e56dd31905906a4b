function varargout = MPI_Comm_spawn(varargin)
    % MPI_Comm_spawn  -  Start further processes; they reach this side by MPI_Comm_get_parent.
    %
    %   [intercomm, codes] = MPI_Comm_spawn(command [, arguments [, count [, info [, root [, comm]]]]])
    %
    %   command: a text
    %   arguments: a cell of texts (default: none)
    %   count: a whole number (default: 1)
    %   info: hints (default: MPI_INFO_NULL)
    %   root: a whole number (default: 0)
    %   comm: a communicator (default: MPI_COMM_SELF)
    %   intercomm (output): a communicator
    %   codes (output): the value
    %
    % Since MPI 2.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   if may_spawn
    %       child = 'x = MPI_Comm_get_parent(); MPI_Send(2 * MPI_Bcast([], 0, x), 0, 1, x); MPI_Comm_disconnect(x);';
    %       [children, codes] = MPI_Comm_spawn(octave_program, child_arguments(child), 1, [], 0, MPI_COMM_SELF);
    %       MPI_Bcast(21, MPI_ROOT, children);
    %       assert(MPI_Recv(0, 1, children) == 42 && all(codes == MPI_SUCCESS))
    %       MPI_Comm_disconnect(children)
    %   end
    %   assert(strcmp(failure(@() MPI_Comm_spawn('true', {}, 0)), 'mpi:ERR_ARG'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_spawn', varargin{:});
end
