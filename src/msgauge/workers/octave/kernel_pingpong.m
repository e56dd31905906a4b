function kernel = kernel_pingpong(item, comm)
    % Half the round trip of one message between ranks 0 and 1.

    options = worker_options(item, {'send', {'standard', 'nonblocking', 'sendrecv'}, ...
                                    'receive', {'late', 'early', 'any-source', 'any-tag', 'probed'}, ...
                                    'buffer', {'own', 'received'}});
    way = chosen(options, comm);
    source = 1 - comm.rank;
    tag = 1;
    if strcmp(options.receive, 'any-source')
        source = '*';
    elseif strcmp(options.receive, 'any-tag')
        tag = '*';
    end
    payload = worker_payload(item.bytes, 0);
    runs = struct('standard', @plain, 'nonblocking', @posted, 'sendrecv', @combined, 'early', @early, ...
                  'probed', @probed, 'received', @returned);
    run = runs.(way);
    kernel = struct('kind', 'batch', 'series', {{'time'}}, 'events', 2, ...
                    'run', @(count) run(comm, payload, count, source, tag), 'verify', @() verify(comm, payload), ...
                    'combine', {{}}, 'close', @() close_early(comm, payload));
end

function way = chosen(options, comm)
    % Which of the loops below: one for each way, because whatever they decided within would be timed.
    named = {options.send, options.receive, options.buffer};
    named = named(ismember(named, {'nonblocking', 'sendrecv', 'early', 'probed', 'received'}));
    if comm.size ~= 2
        error('msgauge:refused', 'this kernel needs two ranks');
    elseif numel(named) > 1
        error('msgauge:refused', 'the Octave worker takes %s, but not together with %s', named{1}, named{2});
    elseif strcmp(options.send, 'sendrecv') && ~strcmp(options.receive, 'late')
        error('msgauge:refused', 'the combined call receives by itself: receive=late');
    elseif strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7) && ~strcmp(options.receive, 'late')
        error('msgauge:refused', 'the classic protocol has no posted receive, no probe, no receive from any rank or tag');
    end
    named{end + 1} = 'standard';
    way = named{1};
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

function returned(comm, payload, count, source, tag)
    % What was received goes back.
    if comm.rank == 0
        for k = 1:count
            MPI_Send(1, 1, comm, payload);
            payload = MPI_Recv(source, tag, comm);
        end
    else
        for k = 1:count
            payload = MPI_Recv(source, tag, comm);
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

function probed(comm, payload, count, source, tag)
    for k = comm.rank + (1:2 * count)
        if mod(k, 2) == 1
            MPI_Send(source, 1, comm, payload);
        else
            while isempty(MPI_Probe(source, tag, comm))
            end
            MPI_Recv(source, tag, comm);
        end
    end
end

function early(comm, payload, count, source, tag)
    % Each receive is posted before its message can be sent: rank 1's stands from one batch to the next, to close_early.
    if comm.rank == 0
        for k = 1:count
            request = MPI_Irecv(source, tag, comm);
            MPI_Send(1, 1, comm, payload);
            MPI_Wait(request);
        end
    else
        request = standing();
        if isempty(request)
            request = MPI_Irecv(source, tag, comm);
        end
        for k = 1:count
            MPI_Wait(request);
            request = MPI_Irecv(source, tag, comm);
            MPI_Send(0, 1, comm, payload);
        end
    end
    standing(request); % on rank 0 only the sign that there is something to close
end

function close_early(comm, payload)
    request = standing();
    if ~isempty(request) && comm.rank == 0
        MPI_Send(1, 1, comm, payload);
    elseif ~isempty(request)
        MPI_Wait(request);
    end
    standing([]);
end

function request = standing(varargin)
    persistent kept
    if nargin > 0
        kept = varargin{1};
    end
    request = kept;
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

function same = verify(comm, payload)
    if comm.rank == 0
        MPI_Send(1, 5, comm, payload);
        same = worker_equal(MPI_Recv(1, 6, comm), payload);
    else
        got = MPI_Recv(0, 5, comm);
        MPI_Send(0, 6, comm, got);
        same = worker_equal(got, payload);
    end
end
