function MatMPI_Delete_all()
    % MatMPI_Delete_all  -  Remove what earlier jobs have left: saved messages in MatMPI/, and the folders of killed jobs.

    filempi_sweep(MatMPI_Comm_settings());
    folder = [pwd(), '/MatMPI'];
    if filempi_size([folder, '/.filempi']) >= 0
        names = filempi_list(folder);
        for k = 1:numel(names)
            filempi_drop([folder, '/', names{k}]);
        end
        rmdir(folder);
    end
end
