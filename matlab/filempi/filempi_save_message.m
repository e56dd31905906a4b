function filempi_save_message(name, header)
    % Move a message file that has been received to MatMPI/ in the working folder, as MatMPI_Save_messages asks.

    global FILEMPI
    folder = filempi_saved_folder(FILEMPI.cwd);
    [inbox, stem, ending] = fileparts(name);
    numbers = sscanf([stem, ending], 'm.%d');
    target = sprintf('%s/p%d_p%d_t%d_s%d_buffer.mat', folder, numbers(1), FILEMPI.rank, header(3), header(2));
    [done, message] = movefile(name, target, 'f');
    if ~done
        error('MPI:writeFailed', 'Cannot keep the message %s: %s.', name, message);
    end
    pieces = filempi_list(inbox);
    pieces = pieces(strncmp(pieces, [stem, ending, '.'], numel(stem) + numel(ending) + 1));
    for k = 1:numel(pieces)
        movefile([inbox, '/', pieces{k}], [folder, '/', pieces{k}], 'f');
    end
end
