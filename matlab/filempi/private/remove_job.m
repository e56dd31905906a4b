function remove_job(folder)
    % Remove a job's main folder, and before it those that it has elsewhere. Whatever is not a private folder of a job
    % stays: what says where they are may be half written.

    others = {};
    names = list_folder(folder);
    for k = reshape(find(strncmp(names, 'extra.', 6)), 1, [])
        others{end + 1} = read_text([folder, '/', names{k}]); %#ok<AGROW>
    end
    try
        job = read_message([folder, '/job']);
        others = [others, job.folders(~strcmp(job.folders, folder))];
        keep_outputs(job);
    catch
        % the session was killed before it had described the job
    end
    for k = 1:numel(others)
        try
            check_private_folder(others{k});
            remove_tree(others{k});
        catch
            continue
        end
    end
    remove_tree(folder);
end

function keep_outputs(job)
    % The links to the ranks' logs become files, as the keeper would have made them.
    for rank = 0:job.size - 1
        output = job.outputs{rank + 1};
        if ~isempty(output) && file_size(output) >= 0
            text = read_text(output);
            write_text(output, text);
        end
    end
end
