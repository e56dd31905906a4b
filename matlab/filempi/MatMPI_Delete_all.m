function MatMPI_Delete_all()
    % MatMPI_Delete_all  -  Remove what earlier jobs have left: outputs and saved messages in MatMPI/, and killed jobs.
    %
    % Of MatMPI/ only what these jobs have put there is removed, and the folder itself if nothing else is in it.

    remove_stale_jobs(job_settings());
    folder = [pwd(), '/MatMPI'];
    if file_size([folder, '/.filempi']) >= 0
        names = list_folder(folder);
        ours = ~cellfun('isempty', regexp(names, '^(\.filempi|p\d+_p\d+_t.*_s\d+_buffer\.mat|m\.\d+\.\d+\..+)$'));
        ours = ours | ismember(names, listed_outputs(folder)) | strncmp(names, 'figure.', 7);
        for k = reshape(find(ours), 1, [])
            delete_file([folder, '/', names{k}]);
        end
        if all(ours)
            rmdir(folder);
        end
    end
end
