function folder = filempi_saved_folder(cwd)
    % MatMPI/ below a working folder, made when it is not there, with the mark by which MatMPI_Delete_all knows it as ours.

    folder = [cwd, '/MatMPI'];
    if ~exist(folder, 'dir')
        [done, message] = mkdir(folder);
        if ~done
            error('MPI:writeFailed', 'Cannot make %s: %s.', folder, message);
        end
    end
    mark = [folder, '/.filempi'];
    if filempi_size(mark) < 0
        filempi_write_text(mark, sprintf('saved messages; MatMPI_Delete_all removes this folder\n'));
    end
end
