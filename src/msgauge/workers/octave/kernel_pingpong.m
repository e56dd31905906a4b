function kernel = kernel_pingpong(item, comm)
    % Half the round trip of one message between ranks 0 and 1.

    options = worker_options(item, {'send', {'standard', 'nonblocking', 'sendrecv'}, ...
                                    'receive', {'late', 'any-source', 'any-tag'}});
    if comm.size ~= 2
        error('msgauge:refused', 'this kernel needs two ranks');
    elseif strcmp(options.send, 'sendrecv') && ~strcmp(options.receive, 'late')
        error('msgauge:refused', 'the combined call receives by itself: receive=late');
    end
    source = 1 - comm.rank;
    tag = 1;
    if strcmp(options.receive, 'any-source')
        source = '*';
    elseif strcmp(options.receive, 'any-tag')
        tag = '*';
    end
    if strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7) && (ischar(source) || ischar(tag))
        error('msgauge:refused', 'the classic protocol has no receive from any rank or with any tag');
    end
    payload = worker_payload(item.bytes, 0);
    runs = struct('standard', @plain, 'nonblocking', @posted, 'sendrecv', @combined);
    run = runs.(options.send);
    kernel = struct('kind', 'batch', 'series', {{'time'}}, 'events', 2, ...
                    'run', @(count) run(comm, payload, count, source, tag), 'right', @() right(comm, payload), ...
                    'combine', {{}});
end

function plain(comm, payload, count, source, tag)
    if comm.rank == 0
        for k = 1:count
            MPI_Send(1, 1, comm, payload);
            MPI_Recv(source, tag, comm);
        end
    else
        for k = 1:count
            MPI_Recv(source, tag, comm);
            MPI_Send(0, 1, comm, payload);
        end
    end
end

function posted(comm, payload, count, source, tag)
    for k = 1:count
        if comm.rank == 1
            MPI_Recv(source, tag, comm);
        end
        MPI_Wait(MPI_Isend(1 - comm.rank, 1, comm, payload));
        if comm.rank == 0
            MPI_Recv(source, tag, comm);
        end
    end
end

function combined(comm, payload, count, source, tag)
    if comm.rank == 0
        for k = 1:count
            MPI_Sendrecv(1, 1, source, tag, comm, payload);
        end
    else
        plain(comm, payload, count, source, tag);
    end
end

function same = right(comm, payload)
    if comm.rank == 0
        MPI_Send(1, 5, comm, payload);
        same = worker_same(MPI_Recv(1, 6, comm), payload);
    else
        got = MPI_Recv(0, 5, comm);
        MPI_Send(0, 6, comm, got);
        same = worker_same(got, payload);
    end
end
