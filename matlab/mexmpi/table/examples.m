% The examples of the help texts. Every one runs in the tests, on 1 to 4 ranks: w is MPI_COMM_WORLD, rank and n its rank and
% size, next and last the neighbours of this rank in a ring. Each fails when its function does nothing.

%% MPI_Init
assert(MPI_Initialized())                % the tests have called MPI_Init, as the first of all
assert(strcmp(failure(@() MPI_Init()), 'mpi:alreadyInitialized'))

%% MPI_Init_thread
assert(strcmp(failure(@() MPI_Init_thread(MPI_THREAD_SINGLE)), 'mpi:alreadyInitialized'))

%% MPI_Initialized
assert(islogical(MPI_Initialized()) && MPI_Initialized())

%% MPI_Finalize
assert(strcmp(failure(@() MPI_Finalize(1)), 'mpi:badInput'))   % MPI_Finalize() ends a program

%% MPI_Finalized
assert(isequal(MPI_Finalized(), false))

%% MPI_Abort
assert(strcmp(failure(@() MPI_Abort('now')), 'mpi:badInput'))  % MPI_Abort(3) ends all ranks with status 3

%% MPI_Query_thread
assert(any(MPI_Query_thread() == [MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE]))

%% MPI_Is_thread_main
assert(isequal(MPI_Is_thread_main(), true))

%% MPI_Get_version
[version, subversion] = MPI_Get_version();
assert(version >= 3 && subversion >= 0)

%% MPI_Get_library_version
assert(any(regexp(MPI_Get_library_version(), 'Open MPI|MPICH|Intel')))

%% MPI_Get_processor_name
name = MPI_Get_processor_name();
assert(ischar(name) && ~isempty(name))

%% MPI_Wtime
started = MPI_Wtime();
pause(0.01)
assert(MPI_Wtime() - started >= 0.009)

%% MPI_Wtick
assert(MPI_Wtick() > 0 && MPI_Wtick() < 0.1)

%% MPI_Error_string
assert(~isempty(MPI_Error_string(MPI_ERR_TRUNCATE)))

%% MPI_Error_class
assert(MPI_Error_class(MPI_ERR_RANK) == MPI_ERR_RANK)

%% MPI_Add_error_class
assert(MPI_Add_error_class() > MPI_ERR_RANK)

%% MPI_Add_error_code
class = MPI_Add_error_class();
code = MPI_Add_error_code(class);
assert(MPI_Error_class(code) == class)

%% MPI_Add_error_string
code = MPI_Add_error_code(MPI_Add_error_class());
MPI_Add_error_string(code, 'the soup is cold')
assert(strcmp(MPI_Error_string(code), 'the soup is cold'))

%% MPI_Pcontrol
MPI_Pcontrol(1)                          % nothing listens, unless a profiling tool does
assert(strcmp(failure(@() MPI_Pcontrol('on')), 'mpi:badInput'))

%% MPI_Get_address
x = rand(3);
assert(MPI_Get_address(x) > 0 && isa(MPI_Get_address(x), 'int64'))

%% MPI_Aint_add
assert(MPI_Aint_add(1000, 24) == 1024)

%% MPI_Aint_diff
assert(MPI_Aint_diff(1024, 1000) == 24)

%% MPI_Send
if n > 1 && rank == 0
    MPI_Send({'any value', magic(4)}, 1, 7)
elseif rank == 1
    [x, status] = MPI_Recv(0, 7);
    assert(isequal(x, {'any value', magic(4)}) && status.source == 0)
elseif n == 1
    MPI_Send(5, 0, 7)
    assert(MPI_Recv(0, 7) == 5)
end

%% MPI_Bsend
MPI_Buffer_attach(10000)
MPI_Bsend(rank, next, 1)
assert(MPI_Recv(last, 1) == last)
MPI_Buffer_detach();

%% MPI_Ssend
request = MPI_Irecv(last, 2);
MPI_Ssend('synchronous', next, 2)
assert(strcmp(MPI_Wait(request), 'synchronous'))

%% MPI_Rsend
request = MPI_Irecv(last, 3, w, 100);
MPI_Barrier()                            % all receives are posted
MPI_Rsend(rank + 0.5, next, 3)
assert(MPI_Wait(request) == last + 0.5)

%% MPI_Recv
MPI_Isend(struct('from', rank), next, 4);
[x, status] = MPI_Recv('*', 4);
assert(x.from == last && status.source == last && status.tag == 4)

%% MPI_Recv_into
x = zeros(1, 1000);
y = x;
request = MPI_Isend(rank + (1:1000), next, 5);
status = MPI_Recv_into('x', last, 5);
assert(isequal(x, last + (1:1000)) && status.count == 1000)
assert(~any(y))                          % y, which has shared its memory with x, is as it was
MPI_Wait(request);

%% MPI_Sendrecv
[x, status] = MPI_Sendrecv(rank * ones(200), next, 6, last, 6);
assert(isequal(x, last * ones(200)) && status.source == last)

%% MPI_Sendrecv_replace
x = MPI_Sendrecv_replace(rank + [1 2 3], next, 6, last, 6);
assert(isequal(x, last + [1 2 3]))

%% MPI_Isend
request = MPI_Isend(uint8(rank), next, 8);
assert(isequal(MPI_Recv(last, 8), uint8(last)))
MPI_Wait(request);

%% MPI_Ibsend
MPI_Buffer_attach(10000)
request = MPI_Ibsend(rank, next, 8);
assert(MPI_Recv(last, 8) == last)
MPI_Wait(request);
MPI_Buffer_detach();

%% MPI_Issend
request = MPI_Issend(rank, next, 9);
assert(~MPI_Test(request) || n > 1)      % nobody has received it
assert(MPI_Recv(last, 9) == last)
MPI_Wait(request);

%% MPI_Irsend
receive = MPI_Irecv(last, 10, w, 100);
MPI_Barrier()
send = MPI_Irsend(rank, next, 10);
values = MPI_Waitall([receive, send]);
assert(values{1} == last)

%% MPI_Irecv
first = MPI_Irecv(last, 11);
second = MPI_Irecv(last, 11);
MPI_Isend('one', next, 11);
MPI_Isend('two', next, 11);
assert(strcmp(MPI_Wait(second), 'two') && strcmp(MPI_Wait(first), 'one'))

%% MPI_Send_init
send = MPI_Send_init(rank, next, 12);
for k = 1:3
    receive = MPI_Irecv(last, 12);
    MPI_Start(send, rank + k)
    assert(MPI_Wait(receive) == last + k)
    MPI_Wait(send);
end
MPI_Request_free(send)

%% MPI_Bsend_init
MPI_Buffer_attach(10000)
send = MPI_Bsend_init(rank, next, 13);
MPI_Start(send)
assert(MPI_Recv(last, 13) == last)
MPI_Wait(send);
MPI_Request_free(send)
MPI_Buffer_detach();

%% MPI_Ssend_init
send = MPI_Ssend_init(rank, next, 14);
receive = MPI_Irecv(last, 14);
MPI_Start(send)
assert(MPI_Wait(receive) == last)
MPI_Wait(send);
MPI_Request_free(send)

%% MPI_Rsend_init
send = MPI_Rsend_init(rank, next, 15);
receive = MPI_Irecv(last, 15, w, 100);
MPI_Barrier()
MPI_Start(send)
assert(MPI_Wait(receive) == last)
MPI_Wait(send);
MPI_Request_free(send)

%% MPI_Recv_init
receive = MPI_Recv_init(zeros(1, 10), last, 16);
for k = 1:2
    MPI_Start(receive)
    MPI_Isend(k * ones(1, 10), next, 16);
    [x, status] = MPI_Wait(receive);
    assert(isequal(x, k * ones(1, 10)) && status.count == 10)
end
MPI_Request_free(receive)

%% MPI_Start
send = MPI_Send_init('a', next, 17);
MPI_Start(send, 'b')                     % new data of the same size
assert(MPI_Recv(last, 17) == 'b')
MPI_Wait(send);
MPI_Request_free(send)

%% MPI_Startall
both = [MPI_Send_init(rank, next, 18), MPI_Recv_init(0, last, 18)];
MPI_Startall(both)
values = MPI_Waitall(both);
assert(values{2} == last)
MPI_Request_free(both(1))
MPI_Request_free(both(2))

%% MPI_Probe
MPI_Isend(1:10, next, 19);
status = MPI_Probe('*', 19);
assert(status.source == last && status.bytes >= 80)
assert(isequal(MPI_Recv(status.source, status.tag), 1:10))

%% MPI_Iprobe
assert(~MPI_Iprobe(last, 20))
MPI_Barrier()
MPI_Isend(1, next, 20);
MPI_Probe(last, 20);
[flag, status] = MPI_Iprobe('*', 20);
assert(flag && status.source == last)
MPI_Recv(last, 20);

%% MPI_Mprobe
MPI_Isend('held', next, 21);
[message, status] = MPI_Mprobe('*', 21);
assert(status.source == last && ~MPI_Iprobe(last, 21))
assert(strcmp(MPI_Mrecv(message), 'held'))

%% MPI_Improbe
MPI_Isend('held', next, 22);
flag = false;
while ~flag
    [flag, message, status] = MPI_Improbe(last, 22);
end
assert(strcmp(MPI_Mrecv(message), 'held') && status.tag == 22)

%% MPI_Mrecv
MPI_Isend(magic(5), next, 23);
[x, status] = MPI_Mrecv(MPI_Mprobe(last, 23));
assert(isequal(x, magic(5)) && status.count == 25)

%% MPI_Imrecv
MPI_Isend(magic(5), next, 24);
request = MPI_Imrecv(MPI_Mprobe(last, 24));
assert(isequal(MPI_Wait(request), magic(5)))

%% MPI_Buffer_attach
MPI_Buffer_attach(5000)
assert(strcmp(failure(@() MPI_Bsend(ones(1000), next)), 'mpi:ERR_BUFFER'))   % larger than the buffer
assert(MPI_Buffer_detach() == 5000)

%% MPI_Buffer_detach
MPI_Buffer_attach(7777)
assert(MPI_Buffer_detach() == 7777)

%% MPI_Cancel
request = MPI_Irecv(last, 25, w, 100);
MPI_Cancel(request)
[x, status] = MPI_Wait(request);
assert(isempty(x) && status.cancelled)

%% MPI_Test_cancelled
request = MPI_Irecv(last, 25);
MPI_Cancel(request)
[x, status] = MPI_Wait(request);
assert(MPI_Test_cancelled(status))

%% MPI_Get_count
MPI_Isend(int16(1:6), next, 26);
[x, status] = MPI_Recv(last, 26);
assert(MPI_Get_count(status) == 6 && MPI_Get_count(status, MPI_INT32_T) == 3)

%% MPI_Get_elements
MPI_Isend(1:6, next, 27);
[x, status] = MPI_Recv(last, 27);
assert(MPI_Get_elements(status, MPI_DOUBLE) == 6)

%% MPI_Get_elements_x
MPI_Isend(single(1:6), next, 27);
[x, status] = MPI_Recv(last, 27);
assert(MPI_Get_elements_x(status, MPI_FLOAT) == 6)

%% MPI_Status_set_elements
MPI_Isend(0, next, 28);
[x, status] = MPI_Recv(last, 28);
status = MPI_Status_set_elements(status, MPI_DOUBLE, 9);
assert(MPI_Get_elements(status, MPI_DOUBLE) == 9)

%% MPI_Status_set_elements_x
MPI_Isend(0, next, 28);
[x, status] = MPI_Recv(last, 28);
status = MPI_Status_set_elements_x(status, MPI_DOUBLE, 3e9);
assert(MPI_Get_elements_x(status, MPI_DOUBLE) == 3e9)

%% MPI_Status_set_cancelled
MPI_Isend(0, next, 28);
[x, status] = MPI_Recv(last, 28);
assert(MPI_Test_cancelled(MPI_Status_set_cancelled(status, true)) && ~MPI_Test_cancelled(status))

%% MPI_Pack
buffer = MPI_Pack({1, 'two'});
buffer = MPI_Pack(3, buffer);            % behind the first value
[first, position] = MPI_Unpack(buffer);
assert(isequal(first, {1, 'two'}) && MPI_Unpack(buffer, position) == 3)

%% MPI_Unpack
[x, position] = MPI_Unpack(MPI_Pack(magic(3)));
assert(isequal(x, magic(3)) && position > 72)

%% MPI_Pack_size
assert(MPI_Pack_size(magic(3)) >= numel(MPI_Pack(magic(3))) && MPI_Pack_size(1) > 8)

%% MPI_Pack_external
bytes = MPI_Pack_external(int32([1 2 3]));
assert(isequal(bytes, uint8([0 0 0 1 0 0 0 2 0 0 0 3])))   % big endian, everywhere

%% MPI_Unpack_external
[x, position] = MPI_Unpack_external(MPI_Pack_external([pi; 2]), 0, 2, 'double');
assert(isequal(x, [pi; 2]) && position == 16)

%% MPI_Pack_external_size
assert(MPI_Pack_external_size(5, 'int16') == 10)

%% MPI_Wait
request = MPI_Irecv(last, 30);
MPI_Isend(rank, next, 30);
[x, status] = MPI_Wait(request);
assert(x == last && status.source == last && isempty(MPI_Wait(request)))

%% MPI_Test
request = MPI_Irecv(last, 31);
assert(~MPI_Test(request))
MPI_Barrier()
MPI_Isend(rank, next, 31);
flag = false;
while ~flag
    [flag, x, status] = MPI_Test(request);
end
assert(x == last && status.tag == 31)

%% MPI_Waitany
requests = [MPI_Irecv(last, 32), MPI_Irecv(last, 33)];
MPI_Isend('second', next, 33);
[index, x, status] = MPI_Waitany(requests);
assert(index == 2 && strcmp(x, 'second') && status.tag == 33)
MPI_Barrier()
MPI_Isend('first', next, 32);
assert(MPI_Waitany(requests) == 1 && isempty(MPI_Waitany(requests)))

%% MPI_Testany
requests = [MPI_Irecv(last, 34), MPI_Irecv(last, 35)];
flag = MPI_Testany(requests);
assert(~flag)
MPI_Barrier()
MPI_Isend(rank, next, 35);
while ~flag
    [flag, index, x] = MPI_Testany(requests);
end
assert(index == 2 && x == last)
MPI_Barrier()
MPI_Isend(rank, next, 34);
MPI_Waitany(requests);

%% MPI_Waitall
requests = [MPI_Irecv(last, 36), MPI_Isend(rank, next, 36)];
[values, statuses] = MPI_Waitall(requests);
assert(values{1} == last && isempty(values{2}) && statuses(1).source == last)

%% MPI_Testall
requests = [MPI_Irecv(last, 37), MPI_Irecv(last, 38)];
assert(~MPI_Testall(requests))
MPI_Barrier()
MPI_Isend('a', next, 37);
MPI_Isend('b', next, 38);
flag = false;
while ~flag
    [flag, values, statuses] = MPI_Testall(requests);
end
assert(isequal(values, {'a', 'b'}) && statuses(2).tag == 38)

%% MPI_Waitsome
requests = [MPI_Irecv(last, 39), MPI_Irecv(last, 40)];
MPI_Isend('x', next, 40);
[indices, values, statuses] = MPI_Waitsome(requests);
assert(isequal(indices, 2) && isequal(values, {'x'}) && statuses.tag == 40)
MPI_Barrier()
MPI_Isend('y', next, 39);
MPI_Waitsome(requests);

%% MPI_Testsome
requests = [MPI_Irecv(last, 41), MPI_Irecv(last, 42)];
assert(isempty(MPI_Testsome(requests)))
MPI_Barrier()
MPI_Isend('x', next, 42);
indices = [];
while isempty(indices)
    [indices, values] = MPI_Testsome(requests);
end
assert(isequal(indices, 2) && isequal(values, {'x'}))
MPI_Barrier()
MPI_Isend('y', next, 41);
MPI_Waitall(requests);

%% MPI_Request_free
before = mexmpi_state().requests;
request = MPI_Isend('on its way', next, 43);
MPI_Request_free(request)
assert(mexmpi_state().requests == before && strcmp(MPI_Recv(last, 43), 'on its way'))

%% MPI_Request_get_status
request = MPI_Irecv(last, 44);
assert(~MPI_Request_get_status(request))
MPI_Barrier()
MPI_Isend('x', next, 44);
while ~MPI_Request_get_status(request)
end
assert(strcmp(MPI_Wait(request), 'x'))

%% MPI_Barrier
if rank == n - 1
    pause(0.05)
end
started = MPI_Wtime();
MPI_Barrier()
assert(rank == n - 1 || MPI_Wtime() - started > 0.02)

%% MPI_Bcast
x = 'only rank 0 needs a value';
if rank > 0
    x = [];
end
x = MPI_Bcast(x, 0);
assert(strcmp(x, 'only rank 0 needs a value'))
y = MPI_Bcast(rank * ones(300), n - 1);
assert(isequal(y, (n - 1) * ones(300)))

%% MPI_Bcast_into
x = rank + zeros(1, 20);
y = x;
MPI_Bcast_into('x', n - 1)
assert(isequal(x, n - 1 + zeros(1, 20)) && isequal(y, rank + zeros(1, 20)))

%% MPI_Gather
y = MPI_Gather([rank; 2 * rank], 0);
if rank == 0
    assert(isequal(y, [0:n - 1; 2 * (0:n - 1)]))
else
    assert(isempty(y))
end
y = MPI_Gather(repmat('x', 1, rank + 1), 0);     % not all alike: a cell
assert(rank > 0 || n == 1 || isequal(y{n}, repmat('x', 1, n)))

%% MPI_Gatherv
[y, counts] = MPI_Gatherv(rank * ones(1, rank + 1), [], 0);
if rank == 0
    assert(isequal(counts, 1:n) && y(end) == n - 1 && numel(y) == n * (n + 1) / 2)
end

%% MPI_Scatter
x = [];
if rank == 0
    x = [1:n; 11:10 + n];
end
assert(isequal(MPI_Scatter(x, 0), [rank + 1; rank + 11]))

%% MPI_Scatterv
x = repelem(1:n, 1:n);                     % 1 2 2 3 3 3 ...
y = MPI_Scatterv(x, 1:n, 0);
assert(isequal(y(:), (rank + 1) * ones(rank + 1, 1)))

%% MPI_Allgather
assert(isequal(MPI_Allgather(rank), 0:n - 1))
assert(isequal(MPI_Allgather({rank}), num2cell(0:n - 1)) || n == 1 || iscell(MPI_Allgather({rank})))

%% MPI_Allgatherv
[y, counts] = MPI_Allgatherv(rank * ones(rank, 1));
assert(isequal(counts, 0:n - 1) && isequal(y(:), reshape(repelem(0:n - 1, 0:n - 1), [], 1)))

%% MPI_Alltoall
y = MPI_Alltoall(10 * rank + (1:n));
assert(isequal(y, 10 * (0:n - 1) + rank + 1))
y = MPI_Alltoall(repmat({rank}, 1, n));
assert(isequal(y, num2cell(0:n - 1)))

%% MPI_Alltoallv
x = rank * ones(1, n * (n + 1) / 2);
[y, counts] = MPI_Alltoallv(x, 1:n);
assert(isequal(counts, (rank + 1) * ones(1, n)) && isequal(y(:), kron((0:n - 1)', ones(rank + 1, 1))))

%% MPI_Alltoallw
types = repmat(MPI_DOUBLE, 1, n);
y = MPI_Alltoallw(10 * rank + (1:n), ones(1, n), 8 * (0:n - 1), types, zeros(1, n), ones(1, n), 8 * (n - 1:-1:0), types);
assert(isequal(fliplr(y), 10 * (0:n - 1) + rank + 1))

%% MPI_Reduce
y = MPI_Reduce([rank, 1], 'sum', 0);
assert(rank > 0 && isempty(y) || isequal(y, [n * (n - 1) / 2, n]))

%% MPI_Allreduce
assert(MPI_Allreduce(rank) == n * (n - 1) / 2)
assert(MPI_Allreduce(rank, 'max') == n - 1)
[least] = MPI_Allreduce([abs(rank - 1); rank], 'minloc');
assert(least(2) == min(1, n - 1))

%% MPI_Allreduce_into
x = rank + (1:20);
y = zeros(1, 20);
z = y;
MPI_Allreduce_into('y', x)
assert(isequal(y, n * (1:20) + n * (n - 1) / 2) && isequal(x, rank + (1:20)))
assert(~any(z))                          % z, which has shared its memory with y, is as it was
MPI_Allreduce_into('x', x, 'max')        % the variable may be x itself
assert(isequal(x, n - 1 + (1:20)))

%% MPI_Reduce_scatter
y = MPI_Reduce_scatter(repelem(1:n, 1:n), 1:n, 'sum');
assert(isequal(y(:), n * (rank + 1) * ones(rank + 1, 1)))

%% MPI_Reduce_scatter_block
assert(isequal(MPI_Reduce_scatter_block(1:2 * n), n * (2 * rank + [1, 2])))

%% MPI_Scan
assert(MPI_Scan(rank + 1) == (rank + 1) * (rank + 2) / 2)

%% MPI_Exscan
y = MPI_Exscan(rank + 1);
assert(rank == 0 && isempty(y) || y == rank * (rank + 1) / 2)

%% MPI_Reduce_local
assert(isequal(MPI_Reduce_local([1 5], [4 2], 'max'), [4 5]))

%% MPI_Op_create
op = MPI_Op_create(@(a, b) max(abs(a), abs(b)));
assert(MPI_Allreduce(-rank - 1, op) == n || n == 1)
assert(MPI_Reduce_local(-3, 2, op) == 3)
MPI_Op_free(op)

%% MPI_Op_free
op = MPI_Op_create(@plus);
MPI_Op_free(op)
assert(strcmp(failure(@() MPI_Allreduce(1, op)), 'mpi:ERR_OP'))

%% MPI_Op_commutative
op = MPI_Op_create(@minus, false);
assert(MPI_Op_commutative(MPI_SUM) && ~MPI_Op_commutative(op))
MPI_Op_free(op)

%% MPI_Ibarrier
request = MPI_Ibarrier();
if n > 1
    assert(rank > 0 || ~isempty(request))
end
MPI_Wait(request);
assert(isempty(MPI_Wait(request)) && request > 0)

%% MPI_Ibcast
request = MPI_Ibcast(rank * [1 2 3], n - 1);
assert(isequal(MPI_Wait(request), (n - 1) * [1 2 3]))

%% MPI_Igather
y = MPI_Wait(MPI_Igather(rank, 0));
assert(rank > 0 && isempty(y) || isequal(y, 0:n - 1))

%% MPI_Igatherv
y = MPI_Wait(MPI_Igatherv(rank * ones(1, rank + 2), 2:n + 1, 0));
assert(rank > 0 && isempty(y) || numel(y) == sum(2:n + 1) && y(end) == n - 1)

%% MPI_Iscatter
x = 0;
if rank == 0
    x = 5 * (1:n);
end
assert(MPI_Wait(MPI_Iscatter(x, 0)) == 5 * (rank + 1))

%% MPI_Iscatterv
y = MPI_Wait(MPI_Iscatterv(repelem(1:n, 1:n), 1:n, 0));
assert(isequal(y(:), (rank + 1) * ones(rank + 1, 1)))

%% MPI_Iallgather
assert(isequal(MPI_Wait(MPI_Iallgather([rank; -rank])), [0:n - 1; 0:-1:1 - n]))

%% MPI_Iallgatherv
y = MPI_Wait(MPI_Iallgatherv(rank * ones(rank + 1, 1), 1:n));
assert(isequal(y, repelem(1:n, 1:n)' - 1))

%% MPI_Ialltoall
assert(isequal(MPI_Wait(MPI_Ialltoall(10 * rank + (1:n))), 10 * (0:n - 1) + rank + 1))

%% MPI_Ialltoallv
y = MPI_Wait(MPI_Ialltoallv(rank * ones(1, 2 * n), 2 * ones(1, n), 2 * ones(1, n)));
assert(isequal(y(:), kron((0:n - 1)', [1; 1])))

%% MPI_Ialltoallw
types = repmat(MPI_DOUBLE, 1, n);
ones_ = ones(1, n);
y = MPI_Wait(MPI_Ialltoallw(10 * rank + (1:n), ones_, 8 * (0:n - 1), types, zeros(1, n), ones_, 8 * (0:n - 1), types));
assert(isequal(y, 10 * (0:n - 1) + rank + 1))

%% MPI_Ireduce
y = MPI_Wait(MPI_Ireduce([1 rank], 'sum', 0));
assert(rank > 0 && isempty(y) || isequal(y, [n, n * (n - 1) / 2]))

%% MPI_Iallreduce
assert(MPI_Wait(MPI_Iallreduce(rank + 1, 'prod')) == factorial(n))

%% MPI_Ireduce_scatter
y = MPI_Wait(MPI_Ireduce_scatter(repelem(1:n, 1:n), 1:n));
assert(isequal(y(:), n * (rank + 1) * ones(rank + 1, 1)))

%% MPI_Ireduce_scatter_block
assert(MPI_Wait(MPI_Ireduce_scatter_block(1:n)) == n * (rank + 1))

%% MPI_Iscan
assert(MPI_Wait(MPI_Iscan(1)) == rank + 1)

%% MPI_Iexscan
y = MPI_Wait(MPI_Iexscan(1));
assert(rank == 0 && isempty(y) || y == rank)

%% MPI_Barrier_init
request = MPI_Barrier_init();
MPI_Start(request)
MPI_Wait(request);
assert(strcmp(failure(@() MPI_Start(MPI_REQUEST_NULL)), 'mpi:ERR_REQUEST'))
MPI_Request_free(request)

%% MPI_Bcast_init
request = MPI_Bcast_init([rank rank], 0);
for k = 1:2
    MPI_Start(request, (rank + k) * [1 1])   % new data of the same class and size
    assert(isequal(MPI_Wait(request), [k k]))
end
MPI_Request_free(request)

%% MPI_Gather_init
request = MPI_Gather_init(rank, 0);
MPI_Start(request)
y = MPI_Wait(request);
assert(rank > 0 && isempty(y) || isequal(y, 0:n - 1))
MPI_Request_free(request)

%% MPI_Gatherv_init
request = MPI_Gatherv_init(rank * ones(1, rank + 1), 1:n, 0);
MPI_Start(request)
y = MPI_Wait(request);
assert(rank > 0 && isempty(y) || numel(y) == n * (n + 1) / 2 && y(end) == n - 1)
MPI_Request_free(request)

%% MPI_Scatter_init
x = 0;
if rank == 0
    x = 1:n;
end
request = MPI_Scatter_init(x, 0);
MPI_Start(request)
assert(MPI_Wait(request) == rank + 1)
MPI_Request_free(request)

%% MPI_Scatterv_init
request = MPI_Scatterv_init(repelem(1:n, 1:n), 1:n, 0);
MPI_Start(request)
y = MPI_Wait(request);
assert(isequal(y(:), (rank + 1) * ones(rank + 1, 1)))
MPI_Request_free(request)

%% MPI_Allgather_init
request = MPI_Allgather_init(rank);
MPI_Start(request)
assert(isequal(MPI_Wait(request), 0:n - 1))
MPI_Request_free(request)

%% MPI_Allgatherv_init
request = MPI_Allgatherv_init(rank * ones(rank + 1, 1), 1:n);
MPI_Start(request)
assert(isequal(MPI_Wait(request)', repelem(1:n, 1:n) - 1))
MPI_Request_free(request)

%% MPI_Alltoall_init
request = MPI_Alltoall_init(10 * rank + (1:n));
MPI_Start(request)
assert(isequal(MPI_Wait(request), 10 * (0:n - 1) + rank + 1))
MPI_Request_free(request)

%% MPI_Alltoallv_init
request = MPI_Alltoallv_init(rank * ones(1, 2 * n), 2 * ones(1, n), 2 * ones(1, n));
MPI_Start(request)
assert(isequal(reshape(MPI_Wait(request), [], 1), kron((0:n - 1)', [1; 1])))
MPI_Request_free(request)

%% MPI_Reduce_init
request = MPI_Reduce_init(rank, 'sum', 0);
MPI_Start(request)
y = MPI_Wait(request);
assert(rank > 0 && isempty(y) || y == n * (n - 1) / 2)
MPI_Request_free(request)

%% MPI_Allreduce_init
request = MPI_Allreduce_init(0, 'max');
MPI_Start(request, rank + 3)
assert(MPI_Wait(request) == n + 2)
MPI_Request_free(request)

%% MPI_Reduce_scatter_init
request = MPI_Reduce_scatter_init(1:n, ones(1, n));
MPI_Start(request)
assert(MPI_Wait(request) == n * (rank + 1))
MPI_Request_free(request)

%% MPI_Reduce_scatter_block_init
request = MPI_Reduce_scatter_block_init(1:n);
MPI_Start(request)
assert(MPI_Wait(request) == n * (rank + 1))
MPI_Request_free(request)

%% MPI_Scan_init
request = MPI_Scan_init(2);
MPI_Start(request)
assert(MPI_Wait(request) == 2 * (rank + 1))
MPI_Request_free(request)

%% MPI_Exscan_init
request = MPI_Exscan_init(2);
MPI_Start(request)
y = MPI_Wait(request);
assert(rank == 0 && isempty(y) || y == 2 * rank)
MPI_Request_free(request)

%% MPI_Neighbor_allgather
ring = MPI_Cart_create(w, n, true);
assert(isequal(MPI_Neighbor_allgather(rank, ring), [last, next]))
MPI_Comm_free(ring)

%% MPI_Neighbor_allgatherv
ring = MPI_Cart_create(w, n, true);
y = MPI_Neighbor_allgatherv(rank * ones(1, 2), [2 2], ring);
assert(isequal(y, [last last next next]))
MPI_Comm_free(ring)

%% MPI_Neighbor_alltoall
ring = MPI_Cart_create(w, n, true);
y = MPI_Neighbor_alltoall([10 * rank, 10 * rank + 1], ring);   % to the left, to the right
assert(isequal(sort(y), sort([10 * last + 1, 10 * next])) || n <= 2)
assert(numel(y) == 2 && all(ismember(floor(y / 10), [last, next])))
MPI_Comm_free(ring)

%% MPI_Neighbor_alltoallv
ring = MPI_Cart_create(w, n, true);
y = MPI_Neighbor_alltoallv(rank * ones(1, 4), [2 2], [2 2], ring);
assert(isequal(y, [last last next next]))
MPI_Comm_free(ring)

%% MPI_Ineighbor_allgather
ring = MPI_Cart_create(w, n, true);
assert(isequal(MPI_Wait(MPI_Ineighbor_allgather(rank, ring)), [last, next]))
MPI_Comm_free(ring)

%% MPI_Ineighbor_allgatherv
ring = MPI_Cart_create(w, n, true);
y = MPI_Wait(MPI_Ineighbor_allgatherv(rank * ones(1, 2), [2 2], ring));
assert(isequal(y, [last last next next]))
MPI_Comm_free(ring)

%% MPI_Ineighbor_alltoall
ring = MPI_Cart_create(w, n, true);
y = MPI_Wait(MPI_Ineighbor_alltoall(rank * [1 1], ring));
assert(isequal(y, [last, next]))
MPI_Comm_free(ring)

%% MPI_Ineighbor_alltoallv
ring = MPI_Cart_create(w, n, true);
y = MPI_Wait(MPI_Ineighbor_alltoallv(rank * ones(1, 4), [2 2], [2 2], ring));
assert(isequal(y, [last last next next]))
MPI_Comm_free(ring)

%% MPI_Neighbor_allgather_init
ring = MPI_Cart_create(w, n, true);
request = MPI_Neighbor_allgather_init(rank, ring);
MPI_Start(request)
assert(isequal(MPI_Wait(request), [last, next]))
MPI_Request_free(request)
MPI_Comm_free(ring)

%% MPI_Neighbor_alltoall_init
ring = MPI_Cart_create(w, n, true);
request = MPI_Neighbor_alltoall_init(rank * [1 1], ring);
MPI_Start(request)
assert(isequal(MPI_Wait(request), [last, next]))
MPI_Request_free(request)
MPI_Comm_free(ring)

%% MPI_Comm_group
group = MPI_Comm_group(w);
assert(MPI_Group_size(group) == n)
MPI_Group_free(group)

%% MPI_Group_size
assert(MPI_Group_size(MPI_Comm_group(MPI_COMM_SELF)) == 1 && MPI_Group_size(MPI_GROUP_EMPTY) == 0)

%% MPI_Group_rank
assert(MPI_Group_rank(MPI_Comm_group(w)) == rank)
assert(MPI_Group_rank(MPI_GROUP_EMPTY) == MPI_UNDEFINED)

%% MPI_Group_translate_ranks
turned = MPI_Group_incl(MPI_Comm_group(w), n - 1:-1:0);
assert(isequal(MPI_Group_translate_ranks(turned, [0, n - 1], MPI_Comm_group(w)), [n - 1, 0]))

%% MPI_Group_compare
group = MPI_Comm_group(w);
assert(MPI_Group_compare(group, MPI_Group_incl(group, 0:n - 1)) == MPI_IDENT)
assert(MPI_Group_compare(group, MPI_GROUP_EMPTY) == MPI_UNEQUAL)

%% MPI_Group_union
group = MPI_Comm_group(w);
both = MPI_Group_union(MPI_Group_incl(group, 0), MPI_Group_incl(group, n - 1));
assert(MPI_Group_size(both) == min(2, n))

%% MPI_Group_intersection
group = MPI_Comm_group(w);
assert(MPI_Group_size(MPI_Group_intersection(group, MPI_Group_incl(group, n - 1))) == 1)

%% MPI_Group_difference
group = MPI_Comm_group(w);
assert(MPI_Group_size(MPI_Group_difference(group, MPI_Group_incl(group, 0))) == n - 1)

%% MPI_Group_incl
assert(MPI_Group_rank(MPI_Group_incl(MPI_Comm_group(w), n - 1:-1:0)) == n - 1 - rank)

%% MPI_Group_excl
rest = MPI_Group_excl(MPI_Comm_group(w), 0);
assert(MPI_Group_size(rest) == n - 1 && (rank > 0 || MPI_Group_rank(rest) == MPI_UNDEFINED))

%% MPI_Group_range_incl
even = MPI_Group_range_incl(MPI_Comm_group(w), [0, n - 1, 2]);
assert(MPI_Group_size(even) == ceil(n / 2))

%% MPI_Group_range_excl
odd = MPI_Group_range_excl(MPI_Comm_group(w), [0, n - 1, 2]);
assert(MPI_Group_size(odd) == floor(n / 2))

%% MPI_Group_free
group = MPI_Comm_group(w);
MPI_Group_free(group)
assert(strcmp(failure(@() MPI_Group_size(group)), 'mpi:ERR_GROUP'))

%% MPI_Comm_size
assert(MPI_Comm_size() == n && MPI_Comm_size(MPI_COMM_SELF) == 1)

%% MPI_Comm_rank
assert(MPI_Comm_rank() == rank && MPI_Allreduce(MPI_Comm_rank(w)) == n * (n - 1) / 2)

%% MPI_Comm_compare
copy = MPI_Comm_dup(w);
assert(MPI_Comm_compare(w, w) == MPI_IDENT && MPI_Comm_compare(w, copy) == MPI_CONGRUENT)
MPI_Comm_free(copy)

%% MPI_Comm_dup
copy = MPI_Comm_dup(w);
MPI_Isend('in the copy', next, 50, copy);
MPI_Isend('in the world', next, 50, w);
assert(strcmp(MPI_Recv(last, 50, w), 'in the world') && strcmp(MPI_Recv(last, 50, copy), 'in the copy'))
MPI_Comm_free(copy)

%% MPI_Comm_dup_with_info
hints = MPI_Info_create();
copy = MPI_Comm_dup_with_info(w, hints);
assert(MPI_Comm_size(copy) == n && MPI_Comm_compare(w, copy) == MPI_CONGRUENT)
MPI_Comm_free(copy)
MPI_Info_free(hints)

%% MPI_Comm_idup
[request, copy] = MPI_Comm_idup(w);
MPI_Wait(request);
assert(MPI_Comm_compare(w, copy) == MPI_CONGRUENT)
MPI_Comm_free(copy)

%% MPI_Comm_create
first = MPI_Comm_create(w, MPI_Group_incl(MPI_Comm_group(w), 0));
if rank == 0
    assert(MPI_Comm_size(first) == 1)
    MPI_Comm_free(first)
else
    assert(first == MPI_COMM_NULL)
end

%% MPI_Comm_create_group
if rank == 0
    alone = MPI_Comm_create_group(w, MPI_Group_incl(MPI_Comm_group(w), 0), 5);
    assert(MPI_Comm_size(alone) == 1)
    MPI_Comm_free(alone)
end

%% MPI_Comm_split
half = MPI_Comm_split(w, mod(rank, 2), -rank);
assert(MPI_Comm_size(half) == numel(mod(rank, 2):2:n - 1))
assert(MPI_Comm_rank(half) == numel(rank + 2:2:n - 1))     % ordered by the key, backwards
MPI_Comm_free(half)

%% MPI_Comm_split_type
node = MPI_Comm_split_type(w);
assert(MPI_Comm_size(node) >= 1 && MPI_Comm_size(node) <= n && MPI_Comm_compare(node, MPI_COMM_SELF) ~= MPI_IDENT)
MPI_Comm_free(node)

%% MPI_Comm_free
copy = MPI_Comm_dup(w);
MPI_Comm_free(copy)
assert(strcmp(failure(@() MPI_Comm_size(copy)), 'mpi:ERR_COMM'))

%% MPI_Comm_set_name
copy = MPI_Comm_dup(w);
MPI_Comm_set_name(copy, 'workers')
assert(strcmp(MPI_Comm_get_name(copy), 'workers'))
MPI_Comm_free(copy)

%% MPI_Comm_get_name
assert(strcmp(MPI_Comm_get_name(w), 'MPI_COMM_WORLD'))

%% MPI_Comm_set_info
copy = MPI_Comm_dup(w);
hints = MPI_Info_create();
MPI_Comm_set_info(copy, hints)
assert(strcmp(failure(@() MPI_Comm_set_info(copy, 0)), 'mpi:badInput'))
MPI_Comm_free(copy)

%% MPI_Comm_get_info
copy = MPI_Comm_dup(w);
assert(MPI_Info_get_nkeys(MPI_Comm_get_info(copy)) >= 0)
MPI_Comm_free(copy)

%% MPI_Comm_test_inter
assert(isequal(MPI_Comm_test_inter(w), false))
if n > 1
    half = MPI_Comm_split(w, mod(rank, 2));
    other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 4);
    assert(isequal(MPI_Comm_test_inter(other), true))
    MPI_Comm_free(other)
end

%% MPI_Comm_remote_size
if n > 1
    half = MPI_Comm_split(w, mod(rank, 2));
    other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 3);
    assert(MPI_Comm_remote_size(other) == numel(1 - mod(rank, 2):2:n - 1))
    MPI_Comm_free(other)
end
assert(~isempty(failure(@() MPI_Comm_remote_size(w))))

%% MPI_Comm_remote_group
if n > 1
    half = MPI_Comm_split(w, mod(rank, 2));
    other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 3);
    assert(MPI_Group_rank(MPI_Comm_remote_group(other)) == MPI_UNDEFINED)
    MPI_Comm_free(other)
end
assert(~isempty(failure(@() MPI_Comm_remote_group(w))))

%% MPI_Intercomm_create
if n > 1
    half = MPI_Comm_split(w, mod(rank, 2));
    other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 4);
    assert(MPI_Comm_test_inter(other))
    if MPI_Comm_rank(other) == 0
        MPI_Isend(rank, 0, 1, other);
        assert(MPI_Recv(0, 1, other) == 1 - rank)
    end
    MPI_Comm_free(other)
end
assert(~isempty(failure(@() MPI_Intercomm_create(w, n, w, 0))))

%% MPI_Intercomm_merge
if n > 1
    half = MPI_Comm_split(w, mod(rank, 2));
    other = MPI_Intercomm_create(half, 0, w, 1 - mod(rank, 2), 5);
    all_ranks = MPI_Intercomm_merge(other, mod(rank, 2));
    assert(MPI_Comm_size(all_ranks) == n && ~MPI_Comm_test_inter(all_ranks))
    MPI_Comm_free(all_ranks)
    MPI_Comm_free(other)
end
assert(~isempty(failure(@() MPI_Intercomm_merge(w))))

%% MPI_Comm_create_keyval
key = MPI_Comm_create_keyval();
copy = MPI_Comm_dup(w);
MPI_Comm_set_attr(copy, key, {'any', 'value'})
again = MPI_Comm_dup(copy);              % attributes are copied with the communicator
assert(isequal(MPI_Comm_get_attr(again, key), {'any', 'value'}))
MPI_Comm_free(again)
MPI_Comm_free(copy)
MPI_Comm_free_keyval(key)

%% MPI_Comm_free_keyval
key = MPI_Comm_create_keyval();
MPI_Comm_free_keyval(key)
assert(strcmp(failure(@() MPI_Comm_set_attr(MPI_COMM_SELF, key, 1)), 'mpi:ERR_KEYVAL'))

%% MPI_Comm_set_attr
key = MPI_Comm_create_keyval();
MPI_Comm_set_attr(MPI_COMM_SELF, key, magic(3))
assert(isequal(MPI_Comm_get_attr(MPI_COMM_SELF, key), magic(3)))
MPI_Comm_delete_attr(MPI_COMM_SELF, key)

%% MPI_Comm_get_attr
[largest, flag] = MPI_Comm_get_attr(w, MPI_TAG_UB);
assert(flag && largest >= 32767)

%% MPI_Comm_delete_attr
key = MPI_Comm_create_keyval();
MPI_Comm_set_attr(MPI_COMM_SELF, key, 1)
MPI_Comm_delete_attr(MPI_COMM_SELF, key)
[x, flag] = MPI_Comm_get_attr(MPI_COMM_SELF, key);
assert(~flag && isempty(x))

%% MPI_Type_create_keyval
key = MPI_Type_create_keyval();
type = MPI_Type_contiguous(2, MPI_DOUBLE);
MPI_Type_set_attr(type, key, 'x and y')
assert(strcmp(MPI_Type_get_attr(MPI_Type_dup(type), key), 'x and y'))

%% MPI_Type_free_keyval
key = MPI_Type_create_keyval();
MPI_Type_free_keyval(key)
assert(strcmp(failure(@() MPI_Type_set_attr(MPI_DOUBLE, key, 1)), 'mpi:ERR_KEYVAL'))

%% MPI_Type_set_attr
key = MPI_Type_create_keyval();
type = MPI_Type_contiguous(2, MPI_DOUBLE);
MPI_Type_set_attr(type, key, 5)
assert(MPI_Type_get_attr(type, key) == 5)

%% MPI_Type_get_attr
key = MPI_Type_create_keyval();
type = MPI_Type_contiguous(2, MPI_DOUBLE);
[x, flag] = MPI_Type_get_attr(type, key);
assert(isempty(x) && isequal(flag, false))
MPI_Type_set_attr(type, key, {'unit', 5})
[x, flag] = MPI_Type_get_attr(type, key);
assert(isequal(x, {'unit', 5}) && isequal(flag, true))

%% MPI_Type_delete_attr
key = MPI_Type_create_keyval();
type = MPI_Type_contiguous(2, MPI_DOUBLE);
MPI_Type_set_attr(type, key, 5)
MPI_Type_delete_attr(type, key)
[x, flag] = MPI_Type_get_attr(type, key);
assert(~flag)

%% MPI_Win_create_keyval
key = MPI_Win_create_keyval();
win = MPI_Win_create(1:3);
MPI_Win_set_attr(win, key, 'mine')
assert(strcmp(MPI_Win_get_attr(win, key), 'mine'))
MPI_Win_free(win)

%% MPI_Win_free_keyval
key = MPI_Win_create_keyval();
MPI_Win_free_keyval(key)
win = MPI_Win_create(1:3);
assert(strcmp(failure(@() MPI_Win_set_attr(win, key, 1)), 'mpi:ERR_KEYVAL'))
MPI_Win_free(win)

%% MPI_Win_set_attr
key = MPI_Win_create_keyval();
win = MPI_Win_create(1:3);
MPI_Win_set_attr(win, key, 7)
assert(MPI_Win_get_attr(win, key) == 7)
MPI_Win_free(win)

%% MPI_Win_get_attr
key = MPI_Win_create_keyval();
win = MPI_Win_create(1:3);
[x, flag] = MPI_Win_get_attr(win, key);
assert(isempty(x) && isequal(flag, false))
MPI_Win_set_attr(win, key, 'grid')
[x, flag] = MPI_Win_get_attr(win, key);
assert(strcmp(x, 'grid') && isequal(flag, true))
MPI_Win_free(win)

%% MPI_Win_delete_attr
key = MPI_Win_create_keyval();
win = MPI_Win_create(1:3);
MPI_Win_set_attr(win, key, 7)
MPI_Win_delete_attr(win, key)
[x, flag] = MPI_Win_get_attr(win, key);
assert(~flag)
MPI_Win_free(win)

%% MPI_Comm_create_errhandler
global told
told = [];
copy = MPI_Comm_dup(w);
handler = MPI_Comm_create_errhandler('remember');    % function remember(code), global told; told = code; end
MPI_Comm_set_errhandler(copy, handler)
MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER)
assert(told == MPI_ERR_OTHER)
MPI_Comm_free(copy)
MPI_Errhandler_free(handler)

%% MPI_Comm_set_errhandler
copy = MPI_Comm_dup(w);
MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL)
assert(MPI_Comm_get_errhandler(copy) == MPI_ERRORS_ARE_FATAL)
MPI_Comm_free(copy)

%% MPI_Comm_get_errhandler
assert(MPI_Comm_get_errhandler(w) == MPI_ERRORS_RETURN)

%% MPI_Comm_call_errhandler
global told
told = [];
handler = MPI_Comm_create_errhandler(@remember);
MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_RANK)
MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
assert(told == MPI_ERR_RANK)
MPI_Errhandler_free(handler)

%% MPI_Win_create_errhandler
global told
told = [];
win = MPI_Win_create(1);
handler = MPI_Win_create_errhandler('remember');
MPI_Win_set_errhandler(win, handler)
MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
assert(told == MPI_ERR_OTHER)
MPI_Win_free(win)
MPI_Errhandler_free(handler)

%% MPI_Win_set_errhandler
win = MPI_Win_create(1);
MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL)
assert(MPI_Win_get_errhandler(win) == MPI_ERRORS_ARE_FATAL)
MPI_Win_free(win)

%% MPI_Win_get_errhandler
win = MPI_Win_create(1);
assert(MPI_Win_get_errhandler(win) == MPI_ERRORS_RETURN)
MPI_Win_free(win)

%% MPI_Win_call_errhandler
global told
told = [];
win = MPI_Win_create(1);
handler = MPI_Win_create_errhandler(@remember);
MPI_Win_set_errhandler(win, handler)
MPI_Win_call_errhandler(win, MPI_ERR_RANK)
assert(told == MPI_ERR_RANK)
MPI_Win_free(win)
MPI_Errhandler_free(handler)

%% MPI_File_create_errhandler
global told
told = [];
file = MPI_File_open(scratch, 'w+');
handler = MPI_File_create_errhandler('remember');
MPI_File_set_errhandler(file, handler)
MPI_File_call_errhandler(file, MPI_ERR_OTHER)
assert(told == MPI_ERR_OTHER)
MPI_File_set_errhandler(file, MPI_ERRORS_RETURN)
MPI_File_close(file)
MPI_Errhandler_free(handler)

%% MPI_File_set_errhandler
file = MPI_File_open(scratch, 'w+');
MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL)
assert(MPI_File_get_errhandler(file) == MPI_ERRORS_ARE_FATAL)
MPI_File_close(file)

%% MPI_File_get_errhandler
file = MPI_File_open(scratch, 'w+');
assert(MPI_File_get_errhandler(file) == MPI_ERRORS_RETURN)
MPI_File_close(file)

%% MPI_File_call_errhandler
global told
told = [];
file = MPI_File_open(scratch, 'w+');
handler = MPI_File_create_errhandler(@remember);
MPI_File_set_errhandler(file, handler)
MPI_File_call_errhandler(file, MPI_ERR_RANK)
assert(told == MPI_ERR_RANK)
MPI_File_set_errhandler(file, MPI_ERRORS_RETURN)
MPI_File_close(file)

%% MPI_Errhandler_free
handler = MPI_Comm_create_errhandler('remember');
MPI_Errhandler_free(handler)
assert(strcmp(failure(@() MPI_Errhandler_free(handler)), 'mpi:ERR_ERRHANDLER'))

%% MPI_Cart_create
grid = MPI_Cart_create(w, [1, n], [false, true]);
assert(MPI_Topo_test(grid) == MPI_CART && MPI_Comm_size(grid) == n)
MPI_Comm_free(grid)

%% MPI_Cart_rank
grid = MPI_Cart_create(w, [1, n], [false, true]);
assert(MPI_Cart_rank(grid, [0, n - 1]) == n - 1 && MPI_Cart_rank(grid, [0, -1]) == n - 1)
MPI_Comm_free(grid)

%% MPI_Cart_coords
grid = MPI_Cart_create(w, [1, n], [false, true]);
assert(isequal(MPI_Cart_coords(grid, n - 1), [0, n - 1]))
MPI_Comm_free(grid)

%% MPI_Cart_get
grid = MPI_Cart_create(w, [1, n], [false, true]);
[dims, periods, coords] = MPI_Cart_get(grid);
assert(isequal(dims, [1, n]) && isequal(periods, [0, 1]) && isequal(coords, [0, rank]))
MPI_Comm_free(grid)

%% MPI_Cart_shift
ring = MPI_Cart_create(w, n, true);
[source, dest] = MPI_Cart_shift(ring, 0, 1);
assert(source == last && dest == next)
MPI_Comm_free(ring)

%% MPI_Cart_sub
grid = MPI_Cart_create(w, [1, n], [false, false]);
column = MPI_Cart_sub(grid, [true, false]);
assert(MPI_Comm_size(column) == 1)
MPI_Comm_free(column)
MPI_Comm_free(grid)

%% MPI_Cart_map
place = MPI_Cart_map(w, [1, n], [false, false]);
assert(isequal(sort(MPI_Allgather(place)), 0:n - 1))

%% MPI_Cartdim_get
grid = MPI_Cart_create(w, [1, n, 1], [0, 0, 0]);
assert(MPI_Cartdim_get(grid) == 3)
MPI_Comm_free(grid)

%% MPI_Dims_create
assert(isequal(MPI_Dims_create(12, [0, 3]), [4, 3]))

%% MPI_Topo_test
assert(MPI_Topo_test(w) == MPI_UNDEFINED)

%% MPI_Graph_create
graph = MPI_Graph_create(w, 1:n, mod(1:n, n));      % each node has one edge, to the next
assert(MPI_Topo_test(graph) == MPI_GRAPH)
MPI_Comm_free(graph)

%% MPI_Graphdims_get
graph = MPI_Graph_create(w, 1:n, mod(1:n, n));
[nodes, edges] = MPI_Graphdims_get(graph);
assert(nodes == n && edges == n)
MPI_Comm_free(graph)

%% MPI_Graph_get
graph = MPI_Graph_create(w, 1:n, mod(1:n, n));
[index, edges] = MPI_Graph_get(graph);
assert(isequal(index, 1:n) && isequal(edges, mod(1:n, n)))
MPI_Comm_free(graph)

%% MPI_Graph_map
place = MPI_Graph_map(w, 1:n, mod(1:n, n));
assert(isequal(sort(MPI_Allgather(place)), 0:n - 1))

%% MPI_Graph_neighbors_count
graph = MPI_Graph_create(w, 2 * (1:n), repelem(mod(1:n, n), 2));
assert(MPI_Graph_neighbors_count(graph, rank) == 2)
MPI_Comm_free(graph)

%% MPI_Graph_neighbors
graph = MPI_Graph_create(w, 1:n, mod(1:n, n));
assert(MPI_Graph_neighbors(graph, rank) == next)
MPI_Comm_free(graph)

%% MPI_Dist_graph_create
graph = MPI_Dist_graph_create(w, rank, 1, next, 10);
[sources, weights, destinations] = MPI_Dist_graph_neighbors(graph);
assert(sources == last && destinations == next && weights == 10)
MPI_Comm_free(graph)

%% MPI_Dist_graph_create_adjacent
graph = MPI_Dist_graph_create_adjacent(w, last, [], next, []);
assert(MPI_Neighbor_allgather(rank, graph) == last)
MPI_Comm_free(graph)

%% MPI_Dist_graph_neighbors_count
graph = MPI_Dist_graph_create_adjacent(w, [last, last], [1, 2], [next, next], [1, 2]);
[indegree, outdegree, weighted] = MPI_Dist_graph_neighbors_count(graph);
assert(indegree == 2 && outdegree == 2 && weighted)
MPI_Comm_free(graph)

%% MPI_Dist_graph_neighbors
graph = MPI_Dist_graph_create_adjacent(w, last, 5, next, 6);
[sources, sourceweights, destinations, destweights] = MPI_Dist_graph_neighbors(graph);
assert(isequal([sources, sourceweights, destinations, destweights], [last, 5, next, 6]))
MPI_Comm_free(graph)

%% MPI_Info_create
hints = MPI_Info_create();
assert(MPI_Info_get_nkeys(hints) == 0)
MPI_Info_free(hints)

%% MPI_Info_delete
hints = MPI_Info_create();
MPI_Info_set(hints, 'colour', 'green')
MPI_Info_delete(hints, 'colour')
assert(MPI_Info_get_nkeys(hints) == 0)

%% MPI_Info_dup
hints = MPI_Info_create();
MPI_Info_set(hints, 'colour', 'green')
copy = MPI_Info_dup(hints);
MPI_Info_set(hints, 'colour', 'red')
assert(strcmp(MPI_Info_get(copy, 'colour'), 'green'))

%% MPI_Info_free
hints = MPI_Info_create();
MPI_Info_free(hints)
assert(strcmp(failure(@() MPI_Info_get_nkeys(hints)), 'mpi:ERR_INFO'))

%% MPI_Info_get
hints = MPI_Info_create();
MPI_Info_set(hints, 'colour', 'green')
[text, flag] = MPI_Info_get(hints, 'colour');
assert(strcmp(text, 'green') && flag)
[text, flag] = MPI_Info_get(hints, 'taste');
assert(isempty(text) && ~flag)

%% MPI_Info_get_nkeys
hints = MPI_Info_create();
MPI_Info_set(hints, 'a', '1')
MPI_Info_set(hints, 'b', '2')
assert(MPI_Info_get_nkeys(hints) == 2)

%% MPI_Info_get_nthkey
hints = MPI_Info_create();
MPI_Info_set(hints, 'colour', 'green')
assert(strcmp(MPI_Info_get_nthkey(hints, 0), 'colour'))

%% MPI_Info_get_valuelen
hints = MPI_Info_create();
MPI_Info_set(hints, 'colour', 'green')
[length, flag] = MPI_Info_get_valuelen(hints, 'colour');
assert(length == 5 && flag)

%% MPI_Info_set
hints = MPI_Info_create();
MPI_Info_set(hints, 'colour', 'blue')
assert(strcmp(MPI_Info_get(hints, 'colour'), 'blue'))

%% MPI_Comm_spawn
if may_spawn
    child = 'x = MPI_Comm_get_parent(); MPI_Send(2 * MPI_Bcast([], 0, x), 0, 1, x); MPI_Comm_disconnect(x);';
    [children, codes] = MPI_Comm_spawn(octave_program, child_arguments(child), 1, [], 0, MPI_COMM_SELF);
    MPI_Bcast(21, MPI_ROOT, children);
    assert(MPI_Recv(0, 1, children) == 42 && all(codes == MPI_SUCCESS))
    MPI_Comm_disconnect(children)
end
assert(strcmp(failure(@() MPI_Comm_spawn('true', {}, 0)), 'mpi:ERR_ARG'))

%% MPI_Comm_spawn_multiple
if may_spawn
    child = ['x = MPI_Comm_get_parent(); MPI_Bcast([], 0, x); MPI_Send(MPI_Comm_size(), 0, 1, x); ' ...
             'MPI_Comm_disconnect(x);'];
    words = child_arguments(child);
    [children, codes] = MPI_Comm_spawn_multiple({octave_program, octave_program}, {words, words}, [1, 1]);
    MPI_Bcast(1, MPI_ROOT, children);
    assert(MPI_Recv(0, 1, children) == 2 && MPI_Recv(1, 1, children) == 2 && numel(codes) == 2)
    MPI_Comm_disconnect(children)
end
assert(strcmp(failure(@() MPI_Comm_spawn_multiple({'true'}, {{}}, [1, 2])), 'mpi:ERR_ARG'))

%% MPI_Comm_get_parent
assert(MPI_Comm_get_parent() == MPI_COMM_NULL)       % this job was started by mpiexec

%% MPI_Comm_disconnect
copy = MPI_Comm_dup(w);
MPI_Comm_disconnect(copy)
assert(strcmp(failure(@() MPI_Comm_rank(copy)), 'mpi:ERR_COMM'))

%% MPI_Open_port
if may_connect
    port = MPI_Open_port();
    assert(~isempty(port))
    MPI_Close_port(port)
end
assert(strcmp(failure(@() MPI_Open_port(0)), 'mpi:badInput'))

%% MPI_Close_port
if may_connect
    first = MPI_Open_port();
    MPI_Close_port(first)
end
assert(strcmp(failure(@() MPI_Close_port(0)), 'mpi:badInput'))

%% MPI_Comm_accept
if may_connect && n > 1 && rank < 2
    if rank == 0
        port = MPI_Open_port();
        MPI_Send(port, 1, 60)
        joined = MPI_Comm_accept(port);
        assert(MPI_Recv(0, 1, joined) == 5 && MPI_Comm_remote_size(joined) == 1)
        MPI_Comm_disconnect(joined)
        MPI_Close_port(port)
    else
        joined = MPI_Comm_connect(MPI_Recv(0, 60));
        MPI_Send(5, 0, 1, joined)
        MPI_Comm_disconnect(joined)
    end
end
assert(strcmp(failure(@() MPI_Comm_accept(0)), 'mpi:badInput'))

%% MPI_Comm_connect
if may_connect && n > 1 && rank < 2
    if rank == 0
        port = MPI_Open_port();
        MPI_Send(port, 1, 61)
        joined = MPI_Comm_accept(port);
        assert(strcmp(MPI_Sendrecv('to 1', 0, 1, 0, 1, joined), 'to 0'))
        MPI_Comm_disconnect(joined)
        MPI_Close_port(port)
    else
        joined = MPI_Comm_connect(MPI_Recv(0, 61));
        assert(MPI_Comm_test_inter(joined))
        assert(strcmp(MPI_Sendrecv('to 0', 0, 1, 0, 1, joined), 'to 1'))
        MPI_Comm_disconnect(joined)
    end
end
assert(strcmp(failure(@() MPI_Comm_connect(0)), 'mpi:badInput'))

%% MPI_Publish_name
if may_publish && rank == 0
    service = sprintf('mexmpi-%d', n);
    MPI_Publish_name(service, [], 'port-7')
    assert(strcmp(MPI_Lookup_name(service), 'port-7'))
    MPI_Unpublish_name(service, [], 'port-7')
end
assert(strcmp(failure(@() MPI_Publish_name('a', [], 5)), 'mpi:badInput'))

%% MPI_Unpublish_name
if may_publish && rank == 0
    MPI_Publish_name('mexmpi-away', [], 'port-7')
    MPI_Unpublish_name('mexmpi-away', [], 'port-7')
end
assert(strcmp(failure(@() MPI_Unpublish_name('a', [], 5)), 'mpi:badInput'))

%% MPI_Lookup_name
if may_publish && rank == 0
    MPI_Publish_name('mexmpi-look', [], 'door-5')
    assert(strcmp(MPI_Lookup_name('mexmpi-look'), 'door-5'))
    MPI_Unpublish_name('mexmpi-look', [], 'door-5')
end
assert(strcmp(failure(@() MPI_Lookup_name(5)), 'mpi:badInput'))

%% MPI_Type_contiguous
pair = MPI_Type_contiguous(2, MPI_DOUBLE);
MPI_Type_commit(pair)
assert(MPI_Type_size(pair) == 16)

%% MPI_Type_vector
row = MPI_Type_vector(4, 1, 4, MPI_DOUBLE);          % a row of a 4 x 4 array
MPI_Type_commit(row)
x = magic(4);
y = zeros(1, 4);
MPI_Send(x, next, 70, w, row, 1)                     % raw data: no header
MPI_Recv_into('y', last, 70, w, MPI_DOUBLE);
assert(isequal(y, x(1, :)))

%% MPI_Type_create_hvector
row = MPI_Type_create_hvector(3, 1, 24, MPI_DOUBLE);
MPI_Type_commit(row)
assert(MPI_Type_size(row) == 24)
[lower, extent] = MPI_Type_get_extent(row);
assert(lower == 0 && extent == 56)

%% MPI_Type_indexed
corner = MPI_Type_indexed([1, 2], [0, 5], MPI_DOUBLE);
MPI_Type_commit(corner)
x = 1:8;
y = zeros(1, 3);
MPI_Send(x, next, 71, w, corner, 1)
MPI_Recv_into('y', last, 71, w, MPI_DOUBLE);
assert(isequal(y, [1 6 7]))

%% MPI_Type_create_hindexed
type = MPI_Type_create_hindexed([1, 2], [0, 40], MPI_DOUBLE);
[lower, extent] = MPI_Type_get_extent(type);
assert(MPI_Type_size(type) == 24 && extent == 56)

%% MPI_Type_create_indexed_block
type = MPI_Type_create_indexed_block(2, [0, 4], MPI_INT32_T);
MPI_Type_commit(type)
x = int32(1:6);
y = zeros(1, 4, 'int32');
MPI_Send(x, next, 72, w, type, 1)
MPI_Recv_into('y', last, 72, w, MPI_INT32_T);
assert(isequal(y, int32([1 2 5 6])))

%% MPI_Type_create_hindexed_block
type = MPI_Type_create_hindexed_block(2, [0, 32], MPI_DOUBLE);
[lower, extent] = MPI_Type_get_true_extent(type);
assert(MPI_Type_size(type) == 32 && extent == 48)

%% MPI_Type_create_struct
type = MPI_Type_create_struct([1, 2], [0, 8], [MPI_DOUBLE, MPI_INT32_T]);
assert(MPI_Type_size(type) == 16)

%% MPI_Type_create_subarray
block = MPI_Type_create_subarray([4, 4], [2, 2], [1, 1], MPI_DOUBLE);   % the middle of a 4 x 4 array
MPI_Type_commit(block)
x = magic(4);
y = zeros(2);
MPI_Send(x, next, 73, w, block, 1)
MPI_Recv_into('y', last, 73, w, MPI_DOUBLE);
assert(isequal(y, x(2:3, 2:3)))

%% MPI_Type_create_darray
part = MPI_Type_create_darray(2, 1, [4, 6], [MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK], ...
                              [MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG], [1, 2], MPI_DOUBLE);
assert(MPI_Type_size(part) == 4 * 3 * 8)

%% MPI_Type_create_resized
type = MPI_Type_create_resized(MPI_DOUBLE, 0, 32);
MPI_Type_commit(type)
x = 1:8;
y = zeros(1, 2);
MPI_Send(x, next, 74, w, type, 2)                    % every fourth
MPI_Recv_into('y', last, 74, w, MPI_DOUBLE);
assert(isequal(y, [1 5]))

%% MPI_Type_commit
type = MPI_Type_contiguous(3, MPI_DOUBLE);
MPI_Type_commit(type)
y = zeros(1, 3);
MPI_Send([7 8 9], next, 75, w, type, 1)
MPI_Recv_into('y', last, 75, w, type);
assert(isequal(y, [7 8 9]))

%% MPI_Type_free
type = MPI_Type_contiguous(3, MPI_DOUBLE);
MPI_Type_free(type)
assert(strcmp(failure(@() MPI_Type_size(type)), 'mpi:ERR_TYPE'))

%% MPI_Type_dup
copy = MPI_Type_dup(MPI_DOUBLE);
assert(MPI_Type_size(copy) == 8 && copy ~= MPI_DOUBLE)

%% MPI_Type_size
assert(MPI_Type_size(MPI_DOUBLE) == 8 && MPI_Type_size(MPI_INT8_T) == 1)

%% MPI_Type_size_x
huge = MPI_Type_contiguous(1e9, MPI_DOUBLE);
assert(MPI_Type_size_x(huge) == 8e9)

%% MPI_Type_get_extent
[lower, extent] = MPI_Type_get_extent(MPI_Type_create_resized(MPI_DOUBLE, -8, 40));
assert(lower == -8 && extent == 40)

%% MPI_Type_get_true_extent
[lower, extent] = MPI_Type_get_true_extent(MPI_Type_create_resized(MPI_DOUBLE, -8, 40));
assert(lower == 0 && extent == 8)

%% MPI_Type_get_extent_x
[lower, extent] = MPI_Type_get_extent_x(MPI_Type_contiguous(1e9, MPI_DOUBLE));
assert(lower == 0 && extent == 8e9)

%% MPI_Type_get_true_extent_x
[lower, extent] = MPI_Type_get_true_extent_x(MPI_Type_contiguous(1e9, MPI_DOUBLE));
assert(lower == 0 && extent == 8e9)

%% MPI_Type_set_name
type = MPI_Type_dup(MPI_DOUBLE);
MPI_Type_set_name(type, 'metre')
assert(strcmp(MPI_Type_get_name(type), 'metre'))

%% MPI_Type_get_name
assert(strcmp(MPI_Type_get_name(MPI_DOUBLE), 'MPI_DOUBLE'))

%% MPI_Type_get_envelope
[integers, addresses, types, combiner] = MPI_Type_get_envelope(MPI_Type_vector(2, 1, 3, MPI_DOUBLE));
assert(isequal([integers, addresses, types], [3, 0, 1]) && combiner == MPI_COMBINER_VECTOR)

%% MPI_Type_get_contents
[integers, addresses, types] = MPI_Type_get_contents(MPI_Type_vector(2, 1, 3, MPI_DOUBLE));
assert(isequal(integers, [2, 1, 3]) && isempty(addresses) && types == MPI_DOUBLE)

%% MPI_Type_match_size
assert(MPI_Type_size(MPI_Type_match_size(MPI_TYPECLASS_REAL, 4)) == 4)

%% MPI_Win_create
win = MPI_Win_create(rank * ones(1, 3));
MPI_Win_fence(0, win)
request = MPI_Get(3, next, 0, win);
MPI_Win_fence(0, win)
assert(isequal(MPI_Wait(request), next * ones(3, 1)))
MPI_Win_free(win)

%% MPI_Win_allocate
win = MPI_Win_allocate(5, 'int32');
assert(isequal(MPI_Win_load(win), zeros(5, 1, 'int32')))
MPI_Win_free(win)

%% MPI_Win_allocate_shared
win = MPI_Win_allocate_shared(2, 'double', [], MPI_COMM_SELF);
MPI_Win_lock_all(0, win)
MPI_Win_store(win, [5; 6])
assert(isequal(MPI_Win_load(win, 0), [5; 6]))
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Win_shared_query
win = MPI_Win_allocate_shared(4, 'single', [], MPI_COMM_SELF);
[bytes, unit] = MPI_Win_shared_query(win, 0);
assert(bytes == 16 && unit == 4)
MPI_Win_free(win)

%% MPI_Win_create_dynamic
win = MPI_Win_create_dynamic();
region = MPI_Win_attach(win, [10; 20; 30]);
regions = MPI_Allgather(region(:));
MPI_Win_lock_all(0, win)
request = MPI_Get(3, next, regions(:, next + 1), win);
MPI_Win_flush(next, win)
assert(isequal(MPI_Wait(request), [10; 20; 30]))
MPI_Win_unlock_all(win)
MPI_Barrier()
MPI_Win_detach(win, region)
MPI_Win_free(win)

%% MPI_Win_attach
win = MPI_Win_create_dynamic();
region = MPI_Win_attach(win, zeros(7, 1));
assert(isa(region, 'int64') && region(2) == 7)
MPI_Win_detach(win, region)
MPI_Win_free(win)

%% MPI_Win_detach
win = MPI_Win_create_dynamic();
region = MPI_Win_attach(win, zeros(7, 1));
MPI_Win_detach(win, region)
assert(strcmp(failure(@() MPI_Win_detach(win, region)), 'mpi:ERR_RMA_ATTACH'))
MPI_Win_free(win)

%% MPI_Win_free
win = MPI_Win_create(1);
MPI_Win_free(win)
assert(strcmp(failure(@() MPI_Win_load(win)), 'mpi:ERR_WIN'))

%% MPI_Win_load
win = MPI_Win_create([4 5 6]);
assert(isequal(MPI_Win_load(win), [4; 5; 6]))
MPI_Win_free(win)

%% MPI_Win_store
win = MPI_Win_create([4 5 6]);
MPI_Win_store(win, 9, 1)
assert(isequal(MPI_Win_load(win), [4; 9; 6]))
MPI_Win_free(win)

%% MPI_Put
win = MPI_Win_allocate(3);
MPI_Win_fence(0, win)
MPI_Put(rank + [1 2], next, 1, win)
MPI_Win_fence(0, win)
assert(isequal(MPI_Win_load(win), [0; last + 1; last + 2]))
MPI_Win_free(win)

%% MPI_Rput
win = MPI_Win_allocate(1);
MPI_Win_lock_all(0, win)
MPI_Wait(MPI_Rput(rank, next, 0, win));
MPI_Win_flush(next, win)
MPI_Barrier()
request = MPI_Rget(1, rank, 0, win);
assert(MPI_Wait(request) == last)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Get
win = MPI_Win_create(10 * rank + (1:4));
MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)
request = MPI_Get(2, next, 1, win);
assert(strcmp(failure(@() MPI_Wait(request)), 'mpi:ERR_RMA_SYNC'))    % not before the epoch ends
MPI_Win_unlock(next, win)
assert(isequal(MPI_Wait(request), 10 * next + [2; 3]))
MPI_Win_free(win)

%% MPI_Rget
win = MPI_Win_create(10 * rank + (1:4));
MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win)
assert(isequal(MPI_Wait(MPI_Rget(2, next, 1, win)), 10 * next + [2; 3]))
MPI_Win_unlock(next, win)
MPI_Win_free(win)

%% MPI_Accumulate
win = MPI_Win_allocate(1);
MPI_Win_fence(0, win)
MPI_Accumulate(rank + 1, 0, 0, 'sum', win)
MPI_Win_fence(0, win)
assert(rank > 0 || MPI_Win_load(win) == n * (n + 1) / 2)
MPI_Win_free(win)

%% MPI_Raccumulate
win = MPI_Win_allocate(1);
MPI_Win_lock_all(0, win)
MPI_Wait(MPI_Raccumulate(2, next, 0, 'sum', win));
MPI_Win_flush(next, win)
MPI_Barrier()
assert(MPI_Wait(MPI_Rget(1, rank, 0, win)) == 2)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Get_accumulate
win = MPI_Win_create(rank * [1 1]);
MPI_Win_lock_all(0, win)
request = MPI_Get_accumulate([5 6], next, 0, 'sum', win);
MPI_Win_flush(next, win)
assert(isequal(MPI_Wait(request), next * [1; 1]))
MPI_Barrier()
assert(isequal(MPI_Wait(MPI_Rget(2, rank, 0, win)), rank + [5; 6]))
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Rget_accumulate
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
assert(MPI_Wait(MPI_Rget_accumulate(100, next, 0, MPI_REPLACE, win)) == next)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Fetch_and_op
win = MPI_Win_allocate(1);
MPI_Win_lock_all(0, win)
request = MPI_Fetch_and_op(1, 0, 0, 'sum', win);     % a ticket: each rank gets another number
MPI_Win_flush(0, win)
tickets = MPI_Allgather(MPI_Wait(request));
MPI_Win_unlock_all(win)
assert(isequal(sort(tickets), 0:n - 1))
MPI_Win_free(win)

%% MPI_Compare_and_swap
win = MPI_Win_create(int64(0));
MPI_Win_lock_all(0, win)
request = MPI_Compare_and_swap(int64(rank + 1), int64(0), 0, 0, win);   % only the first one swaps
MPI_Win_flush(0, win)
before = MPI_Wait(request);
winners = MPI_Allreduce(double(before == 0));
MPI_Win_unlock_all(win)
assert(winners == 1)
MPI_Win_free(win)

%% MPI_Win_fence
win = MPI_Win_allocate(1);
MPI_Win_fence(MPI_MODE_NOPRECEDE, win)
MPI_Put(rank + 1, next, 0, win)
MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
assert(MPI_Win_load(win) == last + 1)
MPI_Win_free(win)

%% MPI_Win_lock
win = MPI_Win_create(rank);
MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win)
request = MPI_Get(1, next, 0, win);
MPI_Win_unlock(next, win)
assert(MPI_Wait(request) == next)
MPI_Win_free(win)

%% MPI_Win_unlock
win = MPI_Win_allocate(1);
MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win)
MPI_Put(rank + 1, next, 0, win)
MPI_Win_unlock(next, win)
MPI_Barrier()
MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win)
assert(MPI_Win_load(win) == last + 1)
MPI_Win_unlock(rank, win)
MPI_Win_free(win)

%% MPI_Win_lock_all
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
assert(MPI_Wait(MPI_Rget(1, next, 0, win)) == next)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Win_unlock_all
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
request = MPI_Get(1, next, 0, win);
MPI_Win_unlock_all(win)
assert(MPI_Wait(request) == next)
MPI_Win_free(win)

%% MPI_Win_flush
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
request = MPI_Get(1, next, 0, win);
MPI_Win_flush(next, win)
assert(MPI_Wait(request) == next)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Win_flush_all
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
requests = [MPI_Get(1, next, 0, win), MPI_Get(1, last, 0, win)];
MPI_Win_flush_all(win)
assert(isequal(MPI_Waitall(requests), {next, last}))
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Win_flush_local
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
request = MPI_Get(1, next, 0, win);
MPI_Win_flush_local(next, win)
assert(MPI_Wait(request) == next)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Win_flush_local_all
win = MPI_Win_create(rank);
MPI_Win_lock_all(0, win)
request = MPI_Get(1, next, 0, win);
MPI_Win_flush_local_all(win)
assert(MPI_Wait(request) == next)
MPI_Win_unlock_all(win)
MPI_Win_free(win)

%% MPI_Win_sync
win = MPI_Win_allocate_shared(1, 'double', [], MPI_COMM_SELF);
MPI_Win_lock_all(0, win)
MPI_Win_store(win, 3)
MPI_Win_sync(win)
assert(MPI_Win_load(win) == 3)
MPI_Win_unlock_all(win)
MPI_Win_free(win)
assert(strcmp(failure(@() MPI_Win_sync(win)), 'mpi:ERR_WIN'))

%% MPI_Win_post
win = MPI_Win_allocate(1);
world = MPI_Comm_group(w);
MPI_Win_post(MPI_Group_incl(world, last), 0, win)
MPI_Win_start(MPI_Group_incl(world, next), 0, win)
MPI_Put(rank + 1, next, 0, win)
MPI_Win_complete(win)
MPI_Win_wait(win)
assert(MPI_Win_load(win) == last + 1)
MPI_Win_free(win)

%% MPI_Win_start
win = MPI_Win_create(rank);
world = MPI_Comm_group(w);
MPI_Win_post(MPI_Group_incl(world, last), 0, win)
MPI_Win_start(MPI_Group_incl(world, next), 0, win)
request = MPI_Get(1, next, 0, win);
MPI_Win_complete(win)
MPI_Win_wait(win)
assert(MPI_Wait(request) == next)
MPI_Win_free(win)

%% MPI_Win_complete
win = MPI_Win_allocate(1);
world = MPI_Comm_group(w);
MPI_Win_post(MPI_Group_incl(world, last), 0, win)
MPI_Win_start(MPI_Group_incl(world, next), 0, win)
MPI_Put(5, next, 0, win)
MPI_Win_complete(win)
MPI_Win_wait(win)
assert(MPI_Win_load(win) == 5)
MPI_Win_free(win)

%% MPI_Win_wait
win = MPI_Win_allocate(1);
world = MPI_Comm_group(w);
MPI_Win_post(MPI_Group_incl(world, last), 0, win)
MPI_Win_start(MPI_Group_incl(world, next), 0, win)
MPI_Put(6, next, 0, win)
MPI_Win_complete(win)
MPI_Win_wait(win)
assert(MPI_Win_load(win) == 6)
MPI_Win_free(win)

%% MPI_Win_test
win = MPI_Win_allocate(1);
world = MPI_Comm_group(w);
MPI_Win_post(MPI_Group_incl(world, last), 0, win)
MPI_Win_start(MPI_Group_incl(world, next), 0, win)
MPI_Put(7, next, 0, win)
MPI_Win_complete(win)
while ~MPI_Win_test(win)
end
assert(MPI_Win_load(win) == 7)
MPI_Win_free(win)

%% MPI_Win_get_group
win = MPI_Win_create(1);
assert(MPI_Group_size(MPI_Win_get_group(win)) == n)
MPI_Win_free(win)

%% MPI_Win_set_name
win = MPI_Win_create(1);
MPI_Win_set_name(win, 'table')
assert(strcmp(MPI_Win_get_name(win), 'table'))
MPI_Win_free(win)

%% MPI_Win_get_name
win = MPI_Win_create(1);
MPI_Win_set_name(win, 'other')
assert(strcmp(MPI_Win_get_name(win), 'other'))
MPI_Win_free(win)

%% MPI_Win_set_info
win = MPI_Win_create(1);
MPI_Win_set_info(win, MPI_Info_create())
assert(strcmp(failure(@() MPI_Win_set_info(win, 0)), 'mpi:badInput'))
MPI_Win_free(win)

%% MPI_Win_get_info
win = MPI_Win_create(1);
assert(MPI_Info_get_nkeys(MPI_Win_get_info(win)) >= 0)
MPI_Win_free(win)

%% MPI_File_open
file = MPI_File_open(scratch, 'w+');
assert(MPI_File_get_size(file) == 0)
MPI_File_close(file)
assert(strcmp(failure(@() MPI_File_open('/no/such/file')), 'mpi:ERR_NO_SUCH_FILE'))

%% MPI_File_close
file = MPI_File_open(scratch, 'w+');
MPI_File_close(file)
assert(strcmp(failure(@() MPI_File_get_size(file)), 'mpi:ERR_FILE'))

%% MPI_File_delete
file = MPI_File_open(scratch, 'w+');
MPI_File_close(file)
MPI_Barrier()
if rank == 0
    MPI_File_delete(scratch)
    assert(~exist(scratch, 'file'))
end
MPI_Barrier()

%% MPI_File_set_size
file = MPI_File_open(scratch, 'w+');
MPI_File_set_size(file, 1000)
assert(MPI_File_get_size(file) == 1000)
MPI_File_close(file)

%% MPI_File_preallocate
file = MPI_File_open(scratch, 'w+');
MPI_File_preallocate(file, 500)
assert(MPI_File_get_size(file) == 500)
MPI_File_close(file)

%% MPI_File_get_size
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at_all(file, 8 * rank, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_get_size(file) == 8 * n)
MPI_File_close(file)

%% MPI_File_get_group
file = MPI_File_open(scratch, 'w+');
assert(MPI_Group_size(MPI_File_get_group(file)) == n)
MPI_File_close(file)

%% MPI_File_get_amode
file = MPI_File_open(scratch, 'w+');
assert(MPI_File_get_amode(file) == MPI_MODE_RDWR + MPI_MODE_CREATE)
MPI_File_close(file)

%% MPI_File_set_info
file = MPI_File_open(scratch, 'w+');
MPI_File_set_info(file, MPI_Info_create())
assert(strcmp(failure(@() MPI_File_set_info(file, 0)), 'mpi:badInput'))
MPI_File_close(file)

%% MPI_File_get_info
file = MPI_File_open(scratch, 'w+');
assert(MPI_Info_get_nkeys(MPI_File_get_info(file)) >= 0)
MPI_File_close(file)

%% MPI_File_set_view
file = MPI_File_open(scratch, 'w+');
stripe = MPI_Type_create_resized(MPI_DOUBLE, 0, 8 * n);  % this rank's doubles: every n-th
MPI_Type_commit(stripe)
MPI_File_set_view(file, 8 * rank, MPI_DOUBLE, stripe)
MPI_File_write_at_all(file, 0, rank * [1; 1; 1]);
MPI_File_set_view(file, 0, MPI_DOUBLE)
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(MPI_File_read_at(file, 0, 3 * n), repmat((0:n - 1)', 3, 1)))
MPI_File_close(file)

%% MPI_File_get_view
file = MPI_File_open(scratch, 'w+');
MPI_File_set_view(file, 16, MPI_DOUBLE)
[displacement, etype, filetype, representation] = MPI_File_get_view(file);
assert(displacement == 16 && MPI_Type_size(etype) == 8 && strcmp(representation, 'native'))
MPI_File_close(file)

%% MPI_File_read_at
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
[x, status] = MPI_File_read_at(file, 16 * next, 2);
assert(isequal(x, [next; 2]) && status.count == 2)
assert(isempty(MPI_File_read_at(file, 16 * n, 2)))   % behind the end
MPI_File_close(file)

%% MPI_File_read_at_all
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(MPI_File_read_at_all(file, 16 * next, 2), [next; 2]))
MPI_File_close(file)

%% MPI_File_write_at
file = MPI_File_open(scratch, 'w+');
status = MPI_File_write_at(file, 3 * rank, uint8([1 2 rank]));
assert(status.bytes == 3)
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(MPI_File_read_at(file, 3 * next, 3, 'uint8'), uint8([1; 2; next])))
MPI_File_close(file)

%% MPI_File_write_at_all
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at_all(file, 8 * rank, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_iread_at
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(MPI_Wait(MPI_File_iread_at(file, 16 * next, 2)), [next; 2]))
MPI_File_close(file)

%% MPI_File_iwrite_at
file = MPI_File_open(scratch, 'w+');
MPI_Wait(MPI_File_iwrite_at(file, 8 * rank, rank));
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_iread_at_all
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(MPI_Wait(MPI_File_iread_at_all(file, 16 * next, 2)), [next; 2]))
MPI_File_close(file)

%% MPI_File_iwrite_at_all
file = MPI_File_open(scratch, 'w+');
MPI_Wait(MPI_File_iwrite_at_all(file, 8 * rank, rank));
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_read
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek(file, 16 * next)
assert(MPI_File_read(file, 1) == next && MPI_File_read(file, 1) == 2)
MPI_File_close(file)

%% MPI_File_read_all
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek(file, 16 * next)
assert(isequal(MPI_File_read_all(file, 2), [next; 2]))
MPI_File_close(file)

%% MPI_File_read_shared
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek_shared(file, 0)
x = MPI_File_read_shared(file, 2);
assert(MPI_Allreduce(x(1)) == n * (n - 1) / 2)       % each rank has got another piece
MPI_File_close(file)

%% MPI_File_read_ordered
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek_shared(file, 0)
assert(isequal(MPI_File_read_ordered(file, 2), [rank; 2]))
MPI_File_close(file)

%% MPI_File_write
file = MPI_File_open(scratch, 'w+');
MPI_File_seek(file, 8 * rank)
MPI_File_write(file, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_write_all
file = MPI_File_open(scratch, 'w+');
MPI_File_seek(file, 8 * rank)
MPI_File_write_all(file, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_write_shared
file = MPI_File_open(scratch, 'w+');
MPI_File_write_shared(file, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(sort(MPI_File_read_at(file, 0, n)), (0:n - 1)'))
MPI_File_close(file)

%% MPI_File_write_ordered
file = MPI_File_open(scratch, 'w+');
MPI_File_write_ordered(file, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(MPI_File_read_at(file, 0, n), (0:n - 1)'))
MPI_File_close(file)

%% MPI_File_iread
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek(file, 16 * next)
assert(isequal(MPI_Wait(MPI_File_iread(file, 2)), [next; 2]))
MPI_File_close(file)

%% MPI_File_iwrite
file = MPI_File_open(scratch, 'w+');
MPI_File_seek(file, 8 * rank)
MPI_Wait(MPI_File_iwrite(file, rank));
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_iread_all
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek(file, 16 * next)
assert(isequal(MPI_Wait(MPI_File_iread_all(file, 2)), [next; 2]))
MPI_File_close(file)

%% MPI_File_iwrite_all
file = MPI_File_open(scratch, 'w+');
MPI_File_seek(file, 8 * rank)
MPI_Wait(MPI_File_iwrite_all(file, rank));
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)

%% MPI_File_iread_shared
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek_shared(file, 0)
x = MPI_Wait(MPI_File_iread_shared(file, 2));
assert(MPI_Allreduce(x(1)) == n * (n - 1) / 2)
MPI_File_close(file)

%% MPI_File_iwrite_shared
file = MPI_File_open(scratch, 'w+');
MPI_Wait(MPI_File_iwrite_shared(file, rank));
MPI_File_sync(file)
MPI_Barrier()
assert(isequal(sort(MPI_File_read_at(file, 0, n)), (0:n - 1)'))
MPI_File_close(file)

%% MPI_File_seek
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek(file, 8)
assert(MPI_File_get_position(file) == 8)
MPI_File_seek(file, -8, MPI_SEEK_CUR)
assert(MPI_File_read(file, 1) == 0)
MPI_File_close(file)

%% MPI_File_get_position
file = MPI_File_open(scratch, 'w+');
MPI_File_seek(file, 24)
assert(MPI_File_get_position(file) == 24)
MPI_File_close(file)

%% MPI_File_get_byte_offset
file = MPI_File_open(scratch, 'w+');
MPI_File_set_view(file, 100, MPI_DOUBLE)
assert(MPI_File_get_byte_offset(file, 3) == 124)
MPI_File_close(file)

%% MPI_File_seek_shared
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 16 * rank, [rank; 2]);
MPI_File_sync(file)
MPI_Barrier()
MPI_File_seek_shared(file, 8)
assert(MPI_File_get_position_shared(file) == 8)
MPI_File_close(file)

%% MPI_File_get_position_shared
file = MPI_File_open(scratch, 'w+');
MPI_File_seek_shared(file, 40)
assert(MPI_File_get_position_shared(file) == 40)
MPI_File_close(file)

%% MPI_File_get_type_extent
file = MPI_File_open(scratch, 'w+');
assert(MPI_File_get_type_extent(file, MPI_DOUBLE) == 8)
MPI_File_close(file)

%% MPI_File_set_atomicity
file = MPI_File_open(scratch, 'w+');
MPI_File_set_atomicity(file, true)
assert(MPI_File_get_atomicity(file))
MPI_File_close(file)

%% MPI_File_get_atomicity
file = MPI_File_open(scratch, 'w+');
assert(isequal(MPI_File_get_atomicity(file), false))
MPI_File_set_atomicity(file, true)
assert(isequal(MPI_File_get_atomicity(file), true))
MPI_File_close(file)

%% MPI_File_sync
file = MPI_File_open(scratch, 'w+');
MPI_File_write_at(file, 8 * rank, rank);
MPI_File_sync(file)
MPI_Barrier()
assert(MPI_File_read_at(file, 8 * next, 1) == next)
MPI_File_close(file)
assert(strcmp(failure(@() MPI_File_sync(file)), 'mpi:ERR_FILE'))
