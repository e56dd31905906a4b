function failed = show_logs(job, first)
    % Print what the other ranks printed, each line with its rank; failed: sentences about ranks that ended badly, or ''.

    failed = '';
    for rank = first:job.size - 1
        text = printed(job.folder, rank);
        status = sscanf(read_text(sprintf('%s/exit.%d', job.folder, rank)), '%d', 1);
        lines = strsplit(regexprep(text, '\n$', ''), sprintf('\n'));
        if ~isempty(text)
            marked = cellfun(@(line) sprintf('[rank %d] %s', rank, line), lines, 'UniformOutput', false);
            fprintf('%s\n', marked{:});
        end
        if ~isequal(status, 0)
            if isempty(status)
                status = NaN;
            end
            tail = strjoin(lines(max(1, end - 9):end), sprintf('\n'));
            failed = sprintf('%sRank %d ended with %s. The end of what it printed:\n%s\n', failed, rank, ...
                             exit_status_text(status, job.hosts{rank + 1}), tail);
        end
    end
end

function text = printed(folder, rank)
    % What a rank printed, without what Octave says at every exit. On a disk that was full the log lacks the last words.
    text = read_text(sprintf('%s/log.%d', folder, rank));
    text = strrep(text, sprintf('error: ignoring const execution_exception& while preparing to exit\n'), '');
    words = strtrim(read_text(sprintf('%s/words.%d', folder, rank)));
    if ~isempty(words) && isempty(strfind(text, words)) %#ok<STREMP>
        text = regexprep(sprintf('%s\n%s\n', text, words), '\n+', '\n');
    end
end
