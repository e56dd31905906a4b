function MatMPI_Delete_all()
    % MatMPI_Delete_all  -  Remove what earlier jobs have left: outputs and saved messages in MatMPI/, and killed jobs.
    %
    % Of MatMPI/ only what these jobs have put there is removed, and the folder itself if nothing else is in it.

    remove_stale_jobs(job_settings());
    folder = [pwd(), '/MatMPI'];
    if file_size([folder, '/.filempi']) >= 0
        outputs = listed_outputs(folder);
        outputs = [outputs, strcat(outputs, '.t')];
        patience = clock_seconds() + 5;
        while ~remove_ours(folder, outputs) % a job that is ending just now still puts its outputs there
            if clock_seconds() > patience
                rmdir(folder); % says why not
                break
            end
            pause(0.02);
        end
    end
end

function done = remove_ours(folder, outputs)
    % Remove what jobs have put there, and the folder where nothing else is in it; false when it could not be removed.
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
