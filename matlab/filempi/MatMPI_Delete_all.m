function MatMPI_Delete_all()
    % MatMPI_Delete_all  -  Remove what earlier jobs have left: saved messages in MatMPI/, and the folders of killed jobs.
    %
    % Of MatMPI/ only files with the names of saved messages are removed, and the folder itself if nothing else is in it.

    filempi_sweep(MatMPI_Comm_settings());
    folder = [pwd(), '/MatMPI'];
    if filempi_size([folder, '/.filempi']) >= 0
        names = filempi_list(folder);
        ours = ~cellfun('isempty', regexp(names, '^(\.filempi|p\d+_p\d+_t-?\d+_s\d+_buffer\.mat|m\.\d+\.\d+\..+)$'));
        for k = reshape(find(ours), 1, [])
            filempi_drop([folder, '/', names{k}]);
        end
        if all(ours)
            rmdir(folder);
        end
    end
end
