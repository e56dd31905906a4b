function filempi_sweep(settings)
    % Remove what killed jobs of this user have left on this machine: job folders whose keeper is gone, with the folders
    % that they have elsewhere, and the ranks that are still running (told by process id and start time). A folder that a
    % job has beside its main one goes with that, or when that is gone.

    parents = unique({filempi_parent(settings, true), pwd()});
    for k = 1:numel(parents)
        names = filempi_list(parents{k});
        for n = reshape(find(filempi_is_job(names)), 1, [])
            sweep_one([parents{k}, '/', names{n}]);
        end
    end
end

function sweep_one(folder)
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
