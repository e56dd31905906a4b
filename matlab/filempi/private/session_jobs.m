function answer = session_jobs(what, value)
    % The jobs that this session has started: session_jobs('add', job) gives a number, session_jobs('get', number) the job.

    persistent jobs
    if strcmp(what, 'add')
        jobs{end + 1} = value;
        answer = numel(jobs);
    else
        answer = jobs{value};
    end
end
