function save_received(name, header)
    % Move a message file that has been received to MatMPI/ in the working folder, as MatMPI_Save_messages asks.

    global FILEMPI
    folder = saved_messages_folder(FILEMPI.cwd, {});
    [inbox, stem, ending] = fileparts(name);
    numbers = sscanf([stem, ending], 'm.%d');
    tag = 'text';
    if ~isnan(header(3))
        tag = sprintf('%d', header(3));
    end
    target = sprintf('%s/p%d_p%d_t%s_s%d_buffer.mat', folder, numbers(1), FILEMPI.rank, tag, header(2));
    [done, message] = movefile(name, target, 'f');
    if ~done
        error('MPI:writeFailed', 'Cannot keep the message %s: %s.', name, message);
    end
    pieces = list_folder(inbox);
    pieces = pieces(strncmp(pieces, [stem, ending, '.'], numel(stem) + numel(ending) + 1));
    for k = 1:numel(pieces)
        movefile([inbox, '/', pieces{k}], [folder, '/', pieces{k}], 'f');
    end
end
