function MatMPI_Delete_all()
    % MatMPI_Delete_all  -  Remove what earlier jobs have left: outputs and saved messages in MatMPI/, and killed jobs.
    %
    % Of MatMPI/ only what these jobs have put there is removed, and the folder itself if nothing else is in it.

    remove_stale_jobs(job_settings());
    folder = [pwd(), '/MatMPI'];
    if file_size([folder, '/.filempi']) >= 0
        outputs = listed_outputs(folder);
        outputs = [outputs, strcat(outputs, '.t')];
        left = now() + 5 / 86400;
        while ~remove_ours(folder, outputs) && now() < left % a job that is ending just now still puts its outputs there
            pause(0.02);
        end
    end
end

function done = remove_ours(folder, outputs)
    % Remove what jobs have put there; false when something came anew meanwhile.
    names = list_folder(folder);
    ours = ~cellfun('isempty', regexp(names, '^(\.filempi|p\d+_p\d+_t.*_s\d+_buffer\.mat|m\.\d+\.\d+\..+)$'));
    ours = ours | ismember(names, outputs) | strncmp(names, 'figure.', 7);
    for k = reshape(find(ours), 1, [])
        delete_file([folder, '/', names{k}]);
    end
    done = ~all(ours);
    if ~done
        [done, ~] = rmdir(folder);
    end
end
