function worker_cell(comm, file, plan, item, clock)
    % Measure one cell and write its frames; a kernel, size or option that this worker does not have is a refused cell.

    head = sprintf('kernel=%s bytes=%d unit=ns cache=hot ranks=%d emulated=no', item.kernel, item.bytes, comm.size);
    [kernel, reason] = worker_kernel(item, comm);
    if isempty(reason) && ~plan.one_clock && ~strcmp(item.kernel, 'pingpong')
        reason = 'the hosts have clocks of their own, which workers in Octave do not synchronise';
    end
    if ~isempty(reason)
        facts = sprintf('%s series=time divisor=1 mode=%s status=refused reason=%s', head, item.mode, ...
                        worker_encode(reason));
        worker_frame(file, item.id, facts, []);
        return
    end
    status = 'ok';
    spent = worker_cpu_usage();
    begun = tic();
    check_ns = 0;
    if plan.check && ~worker_all_agree(comm, kernel.verify())
        status = 'wrong-bytes';
    end
    if plan.check
        check_ns = double(tic() - begun) * 1e3;
    end
    if strcmp(status, 'wrong-bytes')
        facts = sprintf('%s series=%s divisor=1 mode=%s status=wrong-bytes', head, kernel.series{1}, item.mode);
        worker_frame(file, item.id, facts, []);
    elseif comm.rank == 0
        started = worker_uptime();
        [samples, facts] = worker_sample_cell(comm, plan, item, kernel, clock, check_ns);
        if worker_clock_set(started, worker_uptime())
            status = 'error reason=the%20clock%20of%20the%20interpreter%20was%20set%20while%20this%20cell%20was%20measured';
        end
        close_kernel(kernel);
        all_spent = MPI_Gather(0, 7, comm, worker_cpu_usage() - spent);
        facts = sprintf('%s wall_ns=%.0f cpu_ns=%.0f voluntary=%d involuntary=%d', facts, double(tic() - begun) * 1e3, ...
                        sum(vertcat(all_spent{:}), 1));
        columns = [num2cell(samples.table, 1), {samples.warmup}];
        names = [kernel.series, {'warmup'}];
        for k = 1:numel(kernel.series) + ~isempty(samples.warmup)
            worker_frame(file, item.id, sprintf('%s series=%s status=%s %s', head, names{k}, status, facts), columns{k});
        end
    else
        worker_follow(comm, kernel);
        close_kernel(kernel);
        MPI_Gather(0, 7, comm, worker_cpu_usage() - spent);
    end
end

function close_kernel(kernel)
    if isfield(kernel, 'close')
        kernel.close();
    end
end
