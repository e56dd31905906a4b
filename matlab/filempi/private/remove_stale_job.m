function remove_stale_job(folder)
    % Remove a folder that has a job's name if its job was killed; else, or when it is not ours alone, leave it.

    try
        check_private_folder(folder);
    catch
        return
    end
    home = strsplit(read_text([folder, '/home']), sprintf('\n'));
    if numel(home) > 1
        if strcmp(home{1}, host_name()) && exist(strjoin(home(2:end), sprintf('\n')), 'dir') ~= 7
            remove_tree(folder);
        end
        return
    end
    keeper = strsplit(strtrim(read_text([folder, '/keeper'])), ' ');
    if numel(keeper) == 3 && ~strcmp(keeper{3}, host_name())
        return
    end
    if numel(keeper) == 3 && process_alive(keeper{1}, keeper{2})
        return
    end
    if numel(keeper) ~= 3 && file_age(folder) < 30
        return
    end
    names = list_folder(folder);
    for k = reshape(find(strncmp(names, 'pid.', 4)), 1, [])
        words = strsplit(strtrim(read_text([folder, '/', names{k}])), ' ');
        if numel(words) == 2 && process_alive(words{1}, words{2})
            system(sprintf('kill -s KILL %d', str2double(words{1})));
        end
    end
    remove_job(folder);
end
