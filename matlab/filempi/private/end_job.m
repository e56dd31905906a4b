function failed = end_job(job, failure)
    % End a job as its session: wait for the other ranks, show what they printed, and wait until the folder is gone.
    % failure: why the session gives up, '' when its program ended well. failed: sentences about other ranks that ended
    % badly, ''. Raises MPI:rankFailed when another rank failed and the session did not.
    %
    % An interrupt may end this function anywhere; called once more, with a failure, it then ends the job for good.

    persistent ended
    failed = '';
    if any(strcmp(ended, job.id))
        return
    end
    leave_job();
    first = double(job.local(1));
    if first == 1
        leave_slot(job.folder, ~isempty(failure));
    end
    if ~isempty(failure)
        abort_job(job.folder, 0, sprintf('Rank 0 has ended: %s', failure));
    end
    wait_for_ranks(job, first);
    failed = show_logs(job, first);
    touch([job.folder, '/bye']);
    wait_until_gone(job.folder, 10);
    remove_tree(job.folder);
    ended = [ended, {job.id}];
    if isempty(failure) && ~isempty(failed)
        error('MPI:rankFailed', '%s', failed);
    end
end

function leave_slot(folder, status)
    slot = [folder, '/slot.0'];
    fid = fopen(slot, 'r+');
    if fid > 0
        fwrite(fid, sprintf('%-15d\n', status), 'uint8');
        fclose(fid);
        try
            rename_file(slot, [folder, '/exit.0']);
        catch
            return % the keeper has removed the folder already
        end
    end
end

function touch(name)
    fid = fopen(name, 'w');
    if fid > 0
        fclose(fid);
    end
end

function wait_for_ranks(job, first)
    % As long as they take: the keeper notices when one ends, however it ends. Should the keeper itself be killed, nobody
    % would; then what is left of the job is removed at once.
    pause_s = 0.002;
    waited_s = 0;
    for rank = first:job.size - 1
        name = sprintf('%s/exit.%d', job.folder, rank);
        while file_size(name) < 0 && file_size([job.folder, '/job']) >= 0
            pause(pause_s);
            show_notices(job.folder);
            waited_s = waited_s + pause_s;
            pause_s = min(2 * pause_s, 0.05);
            if waited_s > 1
                waited_s = 0;
                remove_stale_job(job.folder);
            end
        end
    end
end
