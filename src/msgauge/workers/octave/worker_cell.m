function worker_cell(comm, file, plan, item, clock)
    % Measure one cell and write its frames; a kernel or size that this worker does not have is a refused cell.

    head = sprintf('kernel=%s bytes=%d unit=ns mode=%s cache=hot ranks=%d', item.kernel, item.bytes, item.mode, comm.size);
    reason = refusal(item, comm);
    if ~isempty(reason)
        worker_frame(file, item.id, sprintf('%s series=time divisor=1 status=refused reason=%s', head, reason), []);
        return
    end
    payload = worker_payload(item.bytes);
    status = 'ok';
    if plan.check && ~all(agreed(comm, worker_right(comm, item, payload)))
        status = 'wrong-bytes';
    end
    if strcmp(item.kernel, 'bcast')
        worker_bcast(comm, file, plan, item, sprintf('%s status=%s', head, status));
        return
    end
    [samples, operations, dropped] = worker_batches(comm, plan, item, payload, clock);
    events = 2;
    if strcmp(item.kernel, 'stream')
        events = 64;
    end
    facts = sprintf('%s series=time divisor=%d status=%s emulated=no stationary=yes dropped=%d stopped=budget', head, ...
                    operations * events, status, dropped);
    worker_frame(file, item.id, facts, samples);
end

function rights = agreed(comm, right)
    rights = MPI_Allgather(4, comm, right);
    rights = [rights{:}];
end

function reason = refusal(item, comm)
    reason = '';
    if ~any(strcmp(item.kernel, {'pingpong', 'stream', 'bcast'}))
        reason = 'the%20Octave%20worker%20has%20no%20such%20kernel';
    elseif ~strcmp(item.kernel, 'bcast') && comm.size ~= 2
        reason = 'this%20kernel%20needs%20two%20ranks';
    elseif strcmp(item.kernel, 'stream') && strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7)
        reason = 'the%20classic%20protocol%20overwrites%20a%20message%20that%20is%20not%20yet%20received';
    elseif strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7) && item.bytes > 1048576
        reason = 'the%20classic%20protocol%20needs%20seconds%20for%20a%20message%20of%20this%20size';
    end
end
