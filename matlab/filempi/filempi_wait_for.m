function filempi_wait_for(number)
    % Wait for a job all of whose ranks run on other machines.

    job = session_jobs('get', number);
    guard = onCleanup(@() end_job(job, 'interrupted'));
    end_job(job, '');
    clear guard;
end
