function varargout = MPI_Comm_spawn_multiple(varargin)
    % MPI_Comm_spawn_multiple  -  Start further processes of several programs.
    %
    %   [intercomm, codes] = MPI_Comm_spawn_multiple(commands, arguments, counts [, root [, comm]])
    %
    %   commands: a cell of texts
    %   arguments: a cell of cells of texts
    %   counts: whole numbers
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
    %       child = ['x = MPI_Comm_get_parent(); MPI_Bcast([], 0, x); MPI_Send(MPI_Comm_size(), 0, 1, x); ' ...
    %                'MPI_Comm_disconnect(x);'];
    %       words = child_arguments(child);
    %       [children, codes] = MPI_Comm_spawn_multiple({octave_program, octave_program}, {words, words}, [1, 1]);
    %       MPI_Bcast(1, MPI_ROOT, children);
    %       assert(MPI_Recv(0, 1, children) == 2 && MPI_Recv(1, 1, children) == 2 && numel(codes) == 2)
    %       MPI_Comm_disconnect(children)
    %   end
    %   assert(strcmp(failure(@() MPI_Comm_spawn_multiple({'true'}, {{}}, [1, 2])), 'mpi:ERR_ARG'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Comm_spawn_multiple', varargin{:});
end
