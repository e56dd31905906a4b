function m = mp_over_filempi()
    % The operations of mp over files.

    MPI_Init();
    comm = MPI_COMM_WORLD();
    m.name = 'filempi';
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
    m.map = @(task, inputs) MPI_Map(task, inputs, comm);
    m.abort = @(code) MPI_Abort(comm);
    m.finalize = @() MPI_Finalize();
end
