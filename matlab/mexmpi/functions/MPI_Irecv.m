function varargout = MPI_Irecv(varargin)
    % MPI_Irecv  -  Begin to receive a value (of at most so many bytes, if that is known).
    %
    %   request = MPI_Irecv([source [, tag [, comm [, bytes]]]])
    %
    %   source: the rank to receive from; '*' or MPI_ANY_SOURCE: any (default: any, or as many as fit)
    %   tag: the message's tag; '*' or MPI_ANY_TAG: any (default: any, or as many as fit)
    %   comm: a communicator (default: MPI_COMM_WORLD)
    %   bytes: a whole number, above 2^31 too (default: any, or as many as fit)
    %   request (output): for MPI_Wait and its kin
    %
    % Since MPI 1.0. MPI-TB had it.
    %
    % Example (w: MPI_COMM_WORLD, rank, n: its rank and size):
    %
    %   first = MPI_Irecv(last, 11);
    %   second = MPI_Irecv(last, 11);
    %   MPI_Isend('one', next, 11);
    %   MPI_Isend('two', next, 11);
    %   assert(strcmp(MPI_Wait(second), 'two') && strcmp(MPI_Wait(first), 'one'))

    mexmpi_use();
    [varargout{1:nargout}] = feval('MPI_Irecv', varargin{:});
end
