function filempi_rank_zero(number)
    % Run the program of a job as rank 0 in the caller's workspace, then end the job. An interrupt or an error ends it too.

    job = session_jobs('get', number);
    guard = onCleanup(@() end_job(job, 'interrupted'));
    join_job(job.folder, 0);
    try
        [file, back] = prepare_program(job.program);
        await_ranks();
        if ~isempty(file) && exist('OCTAVE_VERSION', 'builtin') ~= 0
            source(file, 'caller');
        elseif ~isempty(file)
            evalin('caller', sprintf('run(''%s'');', strrep(file, '''', '''''')));
        end
        clear back;
        verify_all_streams();
    catch problem
        clear back;
        failed = end_job(job, problem.message);
        if any(strcmp(problem.identifier, {'MPI:peerLost', 'MPI:aborted'})) && ~isempty(failed)
            error(problem.identifier, '%s\n%s', problem.message, failed);
        end
        rethrow(problem);
    end
    end_job(job, '');
    clear guard;
end
