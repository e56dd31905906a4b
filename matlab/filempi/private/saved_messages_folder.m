function folder = saved_messages_folder(cwd, names)
    % MatMPI/ below a working folder, made when it is not there. Its file .filempi says which of the files in it are ours
    % (a cell of names is added), for MatMPI_Delete_all. Raises MPI:writeFailed.

    folder = [cwd, '/MatMPI'];
    if ~exist(folder, 'dir')
        [done, message] = mkdir(folder);
        if ~done
            error('MPI:writeFailed', 'Cannot make %s: %s.', folder, message);
        end
    end
    mark = [folder, '/.filempi'];
    known = listed_outputs(folder);
    wanted = unique([known, reshape(names, 1, [])]);
    if numel(wanted) > numel(known) || file_size(mark) < 0
        write_text(mark, sprintf('%s\n', wanted{:}));
    end
end
