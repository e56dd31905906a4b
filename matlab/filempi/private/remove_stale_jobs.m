function remove_stale_jobs(settings)
    % Remove what killed jobs of this user have left on this machine: job folders whose keeper is gone, with the folders
    % that they have elsewhere, and the ranks that are still running (told by process id and start time). A folder that a
    % job has beside its main one goes with that, or when that is gone.

    parents = unique({jobs_root(settings, true), pwd()});
    for k = 1:numel(parents)
        names = list_folder(parents{k});
        for n = reshape(find(is_job_name(names)), 1, [])
            remove_stale_job([parents{k}, '/', names{n}]);
        end
    end
end
