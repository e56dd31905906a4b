function await_ranks()
    % The start line: a rank says that its program begins, and rank 0, which has an interpreter before the others have,
    % waits for them, so that no clock in a program measures how long an interpreter takes to start. A rank that has
    % ended is not waited for, nor is anybody longer than 10 s and half a second for each rank. A wait that lasts is told.

    global FILEMPI
    write_text(sprintf('%s/begun.%d', FILEMPI.folder, FILEMPI.rank), '');
    if FILEMPI.rank > 0
        return
    end
    limit_s = 10 + FILEMPI.size / 2;
    began = tic;
    told = false;
    missing = 1:FILEMPI.size - 1;
    while ~isempty(missing) && toc(began) < limit_s && ~control_file_exists([FILEMPI.folder, '/abort'])
        if has_begun(missing(1))
            missing(1) = [];
        else
            pause(0.002);
            if ~told && toc(began) > FILEMPI.notice_s
                told = true;
                fprintf(2, '[filempi] rank 0 has waited %.0f s for rank%s to start.\n', toc(began), ...
                        sprintf(' %d', missing));
            end
        end
    end
end

function found = has_begun(rank)
    global FILEMPI
    found = control_file_exists(sprintf('%s/begun.%d', FILEMPI.folder, rank)) || ~isempty(read_exit_status(rank));
end
