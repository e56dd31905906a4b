function filempi_rank_main()
    % What every rank but the session runs: join the job, take the session's path, run the program, end.

    folder = getenv('FILEMPI_JOB');
    rank = str2double(getenv('FILEMPI_RANK'));
    disable_core_dumps();
    try
        job = read_message([folder, '/job']);
        if ~strcmp(path(), job.path)
            path(job.path);
        end
        join_job(folder, rank);
        [file, back] = prepare_program(job.program); %#ok<ASGLU>
        await_ranks();
        if ~isempty(file) && exist('OCTAVE_VERSION', 'builtin') ~= 0
            source(file, 'base');
        elseif ~isempty(file)
            evalin('base', sprintf('run(''%s'');', strrep(file, '''', '''''')));
        end
        verify_all_streams();
    catch problem
        text = error_report(problem, rank);
        fprintf('%s\n', text);
        write_fatal_error(sprintf('%s/words.%d', folder, rank), text);
        exit(1);
    end
    exit(0);
end
