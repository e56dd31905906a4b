function filempi_remove_job(folder)
    % Remove a job's main folder, and before it those that it has elsewhere. Whatever is not a private folder of a job
    % stays: what says where they are may be half written.

    others = {};
    names = filempi_list(folder);
    for k = reshape(find(strncmp(names, 'extra.', 6)), 1, [])
        others{end + 1} = filempi_text([folder, '/', names{k}]); %#ok<AGROW>
    end
    try
        job = filempi_fetch([folder, '/job']);
        others = [others, job.folders(~strcmp(job.folders, folder))];
    catch
        % the session was killed before it had described the job
    end
    for k = 1:numel(others)
        try
            filempi_secure(others{k});
            filempi_remove_tree(others{k});
        catch
            continue
        end
    end
    filempi_remove_tree(folder);
end
