function filempi_end_job(job, failure)
    % End a job as its session: wait for the other ranks, show what they printed, and wait until the folder is gone.
    % failure: why the session gives up, '' when its program ended well. Raises MPI:rankFailed when another rank failed.

    persistent ended
    if any(strcmp(ended, job.id))
        return
    end
    ended = [ended, {job.id}];
    filempi_disconnect();
    first = double(job.local(1));
    if first == 1
        leave_slot(job.folder, ~isempty(failure));
    end
    if ~isempty(failure)
        filempi_call_off(job.folder, 0, sprintf('Rank 0 has ended: %s', failure));
    end
    late = wait_for_ranks(job, first);
    if late
        filempi_call_off(job.folder, 0, 'The job took longer than its deadline.');
        wait_for_ranks(job, first);
    end
    failed = filempi_show_logs(job, first);
    touch([job.folder, '/bye']);
    wait_until_gone(job);
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
            filempi_move(slot, [folder, '/exit.0']);
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

function late = wait_for_ranks(job, first)
    waited_s = 0;
    pause_s = 0.002;
    late = false;
    for rank = first:job.size - 1
        name = sprintf('%s/exit.%d', job.folder, rank);
        while filempi_size(name) < 0 && filempi_size([job.folder, '/job']) >= 0
            pause(pause_s);
            waited_s = waited_s + pause_s;
            pause_s = min(2 * pause_s, 0.05);
            late = waited_s > job.settings.deadline_s;
            if late
                return
            end
        end
    end
end

function wait_until_gone(job)
    waited_s = 0;
    while exist(job.folder, 'dir') == 7 && waited_s < 10
        pause(0.01);
        waited_s = waited_s + 0.01;
    end
    filempi_remove_tree(job.folder);
end
