function filempi_rank_main()
    % What every rank but the session runs: join the job, take the session's path, run the program, end.

    folder = getenv('FILEMPI_JOB');
    rank = str2double(getenv('FILEMPI_RANK'));
    filempi_no_dumps();
    try
        job = filempi_fetch([folder, '/job']);
        if ~strcmp(path(), job.path)
            path(job.path);
        end
        filempi_attach(folder, rank);
        [statement, back] = filempi_statement(job.program); %#ok<ASGLU>
        evalin('base', statement);
        filempi_close();
    catch problem
        text = filempi_report(problem, rank);
        fprintf('%s\n', text);
        filempi_last_words(sprintf('%s/words.%d', folder, rank), text);
        exit(1);
    end
    exit(0);
end
