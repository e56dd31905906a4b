function remove_tree(folder)
    % Remove a job folder with all that is in it; refuses any name that is not a job's.

    slash = find(folder == '/', 1, 'last');
    if ~is_job_name({folder(slash + 1:end)})
        error('MPI:insecure', '%s is not a job folder.', folder);
    end
    if exist(folder, 'dir') == 7
        system(['rm -rf -- ', shell_quote(folder)]);
    end
end
