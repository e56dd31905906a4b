function filempi_sweep(settings)
    % Remove what killed jobs of this user have left on this machine: job folders whose keeper is gone, and the ranks that
    % are still running (told by process id and start time).

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
    filempi_remove_tree(folder);
end
