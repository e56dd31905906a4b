function m = exchange_filempi()
    % The operations that the exchange cases use, bound to the file toolbox. A toolbox with other argument orders
    % brings a function like this one, and the cases run unchanged.

    MPI_Init();
    comm = MPI_COMM_WORLD();
    m.rank = MPI_Comm_rank(comm);
    m.size = MPI_Comm_size(comm);
    m.send = @(dest, tag, varargin) MPI_Send(dest, tag, comm, varargin{:});
    m.recv = @(source, tag) MPI_Recv(source, tag, comm);
    m.status = @() MPI_Status(comm);
    m.probe = @(source, tag) MPI_Probe(source, tag, comm);
    m.sendrecv = @(dest, stag, source, rtag, varargin) MPI_Sendrecv(dest, stag, source, rtag, comm, varargin{:});
    m.isend = @(dest, tag, varargin) MPI_Isend(dest, tag, comm, varargin{:});
    m.irecv = @(source, tag) MPI_Irecv(source, tag, comm);
    m.wait = @(request) MPI_Wait(request);
    m.test = @(request) MPI_Test(request);
    m.barrier = @() MPI_Barrier(comm);
    m.bcast = @(root, tag, varargin) MPI_Bcast(root, tag, comm, varargin{:});
    m.scatter = @(root, tag, values) MPI_Scatter(root, tag, comm, values);
    m.gather = @(root, tag, value) MPI_Gather(root, tag, comm, value);
    m.allgather = @(tag, value) MPI_Allgather(tag, comm, value);
    m.reduce = @(root, tag, value, operation) MPI_Reduce(root, tag, comm, value, operation);
    m.allreduce = @(tag, value, operation) MPI_Allreduce(tag, comm, value, operation);
    m.alltoall = @(tag, values) MPI_Alltoall(tag, comm, values);
end
