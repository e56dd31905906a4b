function filempi_rank_zero(number)
    % Run the program of a job as rank 0 in the caller's workspace, then end the job. An interrupt or an error ends it too.

    job = filempi_jobs('get', number);
    guard = onCleanup(@() filempi_end_job(job, 'interrupted'));
    filempi_attach(job.folder, 0);
    try
        [statement, back] = filempi_statement(job.program);
        evalin('caller', statement);
        clear back;
        filempi_close();
    catch problem
        clear back;
        failed = filempi_end_job(job, problem.message);
        if any(strcmp(problem.identifier, {'MPI:peerLost', 'MPI:aborted'})) && ~isempty(failed)
            error(problem.identifier, '%s\n%s', problem.message, failed);
        end
        rethrow(problem);
    end
    filempi_end_job(job, '');
    clear guard;
end
