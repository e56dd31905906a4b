function kernel = kernel_stream(item, comm)
    % 64 messages in one direction, then a short answer: the time of one message.

    worker_options(item, {});
    if comm.size ~= 2
        error('msgauge:refused', 'this kernel needs two ranks');
    elseif strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7)
        error('msgauge:refused', 'the classic protocol overwrites a message that is not yet received');
    end
    payload = worker_payload(item.bytes, 0);
    kernel = struct('kind', 'batch', 'series', {{'time'}}, 'events', 64, 'run', @(count) run(comm, payload, count), ...
                    'verify', @() verify(comm, payload), 'combine', {{}});
end

function run(comm, payload, count)
    for k = 1:count
        if comm.rank == 0
            for message = 1:64
                MPI_Send(1, 1, comm, payload);
            end
            MPI_Recv(1, 2, comm);
        else
            for message = 1:64
                MPI_Recv(0, 1, comm);
            end
            MPI_Send(0, 2, comm, 0);
        end
    end
end

function same = verify(comm, payload)
    same = true;
    if comm.rank == 0
        for k = 1:3
            MPI_Send(1, 5, comm, payload);
        end
    else
        for k = 1:3
            same = worker_equal(MPI_Recv(0, 5, comm), payload) && same;
        end
    end
end
