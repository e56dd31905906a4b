function filempi_wait_for(number)
    % Wait for a job all of whose ranks run on other machines.

    job = filempi_jobs('get', number);
    guard = onCleanup(@() filempi_end_job(job, 'interrupted'));
    filempi_end_job(job, '');
    clear guard;
end
