function kernel = kernel_pingpong(item, comm)
    % Half the round trip of one message between ranks 0 and 1, by calls of mexmpi without a function in between.

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
                  'probed', @probed, 'received', @returned, 'into', @into);
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
    end
    if strcmp(getenv('MSGAUGE_INTO'), '1')
        if ~isempty(named)
            error('msgauge:refused', 'into the variable that was sent, but not together with %s', named{1});
        end
        named = {'into'};
    end
    named{end + 1} = 'standard';
    way = named{1};
end

function plain(comm, payload, count, source, tag)
    if comm.rank == 0
        for k = 1:count
            mexmpi_call('MPI_Send', payload, 1, 1, comm.handle);
            mexmpi_call('MPI_Recv', source, tag, comm.handle);
        end
    else
        for k = 1:count
            mexmpi_call('MPI_Recv', source, tag, comm.handle);
            mexmpi_call('MPI_Send', payload, 0, 1, comm.handle);
        end
    end
end

function returned(comm, payload, count, source, tag)
    % What was received goes back.
    if comm.rank == 0
        for k = 1:count
            mexmpi_call('MPI_Send', payload, 1, 1, comm.handle);
            payload = mexmpi_call('MPI_Recv', source, tag, comm.handle);
        end
    else
        for k = 1:count
            payload = mexmpi_call('MPI_Recv', source, tag, comm.handle);
            mexmpi_call('MPI_Send', payload, 0, 1, comm.handle);
        end
    end
end

function into(comm, payload, count, source, tag)
    % Into the variable that was sent: no new array.
    if comm.rank == 0
        for k = 1:count
            mexmpi_call('MPI_Send', payload, 1, 1, comm.handle);
            mexmpi_call('MPI_Recv_into', 'payload', source, tag, comm.handle);
        end
    else
        for k = 1:count
            mexmpi_call('MPI_Recv_into', 'payload', source, tag, comm.handle);
            mexmpi_call('MPI_Send', payload, 0, 1, comm.handle);
        end
    end
end

function posted(comm, payload, count, source, tag)
    for k = 1:count
        if comm.rank == 1
            mexmpi_call('MPI_Recv', source, tag, comm.handle);
        end
        mexmpi_call('MPI_Wait', mexmpi_call('MPI_Isend', payload, 1 - comm.rank, 1, comm.handle));
        if comm.rank == 0
            mexmpi_call('MPI_Recv', source, tag, comm.handle);
        end
    end
end

function probed(comm, payload, count, source, tag)
    for k = comm.rank + (1:2 * count)
        if mod(k, 2) == 1
            mexmpi_call('MPI_Send', payload, 1 - comm.rank, 1, comm.handle);
        else
            while ~mexmpi_call('MPI_Iprobe', source, tag, comm.handle)
            end
            mexmpi_call('MPI_Recv', source, tag, comm.handle);
        end
    end
end

function early(comm, payload, count, source, tag)
    % Each receive is posted before its message can be sent: rank 1's stands from one batch to the next, to close_early.
    if comm.rank == 0
        for k = 1:count
            request = mexmpi_call('MPI_Irecv', source, tag, comm.handle);
            mexmpi_call('MPI_Send', payload, 1, 1, comm.handle);
            mexmpi_call('MPI_Wait', request);
        end
    else
        request = standing();
        if isempty(request)
            request = mexmpi_call('MPI_Irecv', source, tag, comm.handle);
        end
        for k = 1:count
            mexmpi_call('MPI_Wait', request);
            request = mexmpi_call('MPI_Irecv', source, tag, comm.handle);
            mexmpi_call('MPI_Send', payload, 0, 1, comm.handle);
        end
    end
    standing(request); % on rank 0 only the sign that there is something to close
end

function close_early(comm, payload)
    request = standing();
    if ~isempty(request) && comm.rank == 0
        mexmpi_call('MPI_Send', payload, 1, 1, comm.handle);
    elseif ~isempty(request)
        mexmpi_call('MPI_Wait', request);
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
            mexmpi_call('MPI_Sendrecv', payload, 1, 1, source, tag, comm.handle);
        end
    else
        plain(comm, payload, count, source, tag);
    end
end

function same = verify(comm, payload)
    if comm.rank == 0
        mexmpi_call('MPI_Send', payload, 1, 5, comm.handle);
        same = worker_equal(mexmpi_call('MPI_Recv', 1, 6, comm.handle), payload);
    else
        got = mexmpi_call('MPI_Recv', 0, 5, comm.handle);
        mexmpi_call('MPI_Send', got, 0, 6, comm.handle);
        same = worker_equal(got, payload);
    end
end
