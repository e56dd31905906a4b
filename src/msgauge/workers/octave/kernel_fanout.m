function kernel = kernel_fanout(item, comm)
    % Rank 0 hands a packet to every worker and gets one back from each: a coordinator's round.
    % sends: all sent, then received in the order in which they come; bcast: a broadcast first; blocking: in turn.

    options = worker_options(item, {'form', {'sends', 'bcast', 'blocking'}});
    form = options.form;
    if strcmp(form, 'sends') && strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7)
        error('msgauge:refused', 'the classic protocol has no receive from any rank');
    end
    kernel = struct('kind', 'batch', 'series', {{'time'}}, 'events', 1, 'run', @(count) run(comm, item, form, count), ...
                    'verify', @() verify(comm, item, form), 'combine', {{}});
end

function run(comm, item, form, count)
    packet = worker_payload(item.bytes, comm.rank);
    for k = 1:count
        one_round(comm, packet, form);
    end
end

function [got, from] = one_round(comm, packet, form)
    got = {};
    from = 1:comm.size - 1;
    if comm.rank > 0
        if strcmp(form, 'bcast')
            got = {MPI_Bcast(0, 1, comm)};
        else
            got = {MPI_Recv(0, 1, comm)};
        end
        MPI_Send(0, 2, comm, packet);
        return
    end
    if strcmp(form, 'bcast')
        MPI_Bcast(0, 1, comm, packet);
    else
        for worker = from
            MPI_Send(worker, 1, comm, packet);
        end
    end
    got = cell(size(from));
    for k = 1:numel(from)
        if strcmp(form, 'sends')
            got{k} = MPI_Recv('*', 2, comm);
            from(k) = MPI_Status(comm);
        else
            got{k} = MPI_Recv(from(k), 2, comm);
        end
    end
end

function same = verify(comm, item, form)
    [got, from] = one_round(comm, worker_payload(item.bytes, comm.rank), form);
    if comm.rank > 0
        from = 0;
    end
    same = numel(unique(from)) == numel(got);
    for k = 1:numel(got)
        same = same && worker_equal(got{k}, worker_payload(item.bytes, from(k)));
    end
end
