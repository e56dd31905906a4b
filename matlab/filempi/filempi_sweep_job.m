function filempi_sweep_job(folder)
    % Remove a folder that has a job's name if its job was killed; else, or when it is not ours alone, leave it.

    try
        filempi_secure(folder);
    catch
        return
    end
    home = strsplit(filempi_text([folder, '/home']), sprintf('\n'));
    if numel(home) > 1
        if strcmp(home{1}, filempi_host()) && exist(strjoin(home(2:end), sprintf('\n')), 'dir') ~= 7
            filempi_remove_tree(folder);
        end
        return
    end
    keeper = strsplit(strtrim(filempi_text([folder, '/keeper'])), ' ');
    if numel(keeper) == 3 && ~strcmp(keeper{3}, filempi_host())
        return
    end
    if numel(keeper) == 3 && filempi_lives(keeper{1}, keeper{2})
        return
    end
    if numel(keeper) ~= 3 && filempi_age(folder) < 30
        return
    end
    names = filempi_list(folder);
    for k = reshape(find(strncmp(names, 'pid.', 4)), 1, [])
        words = strsplit(strtrim(filempi_text([folder, '/', names{k}])), ' ');
        if numel(words) == 2 && filempi_lives(words{1}, words{2})
            system(sprintf('kill -s KILL %d', str2double(words{1})));
        end
    end
    filempi_remove_job(folder);
end
