function comm = comm_fields(job, rank)
    % The fields of MPI_COMM_WORLD that programs for the reference may read.

    count = accumarray(job.machine_id(:), 1).';
    stop = cumsum(count);
    n = numel(job.machines);
    folders = cell(1, n);
    for k = 1:n
        folders{k} = job.folders{stop(min(k, end))};
    end
    command = strjoin(job.settings.interpreter, ' ');
    comm = struct('rank', rank, 'size', job.size, 'host_rank', -double(job.background), 'save_message_flag', 0, ...
                  'group', 0:job.size - 1, 'machine_id', job.machine_id);
    comm.machine_db = struct('n_machine', n, 'type', {repmat({'unix'}, 1, n)}, 'machine', {{job.machines.name}}, ...
                             'dir', {folders}, 'matlab_command', {repmat({command}, 1, n)}, ...
                             'remote_launch', {repmat({strjoin(job.settings.remote, ' ')}, 1, n)}, ...
                             'remote_flags', {repmat({''}, 1, n)}, 'n_proc', [count, zeros(1, n - numel(count))], ...
                             'id_start', [1, stop(1:end - 1) + 1], 'id_stop', stop);
end
