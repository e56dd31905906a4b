function filempi_sweep(settings)
    % Remove what killed jobs of this user have left on this machine: job folders whose keeper is gone, with the folders
    % that they have elsewhere, and the ranks that are still running (told by process id and start time). A folder that a
    % job has beside its main one goes with that, or when that is gone.

    parents = unique({filempi_parent(settings, true), pwd()});
    for k = 1:numel(parents)
        names = filempi_list(parents{k});
        for n = reshape(find(filempi_is_job(names)), 1, [])
            filempi_sweep_job([parents{k}, '/', names{n}]);
        end
    end
end
