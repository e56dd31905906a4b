function save_file(name, values, header)
    % Primitive: write one message file: the variable v (the value, or a cell of them), then h (header words), its end mark.
    %
    % Neither interpreter's save reports a full disk. What a full file system keeps ends at a block's border, so
    % a size that is a multiple of 512 bytes (or nothing) is doubted, and the end mark is read back.
    % Raises MPI:writeFailed, and then nothing of that name is left.

    v = values;
    h = header;
    save('-v6', name, 'v', 'h');
    bytes = file_size(name);
    if bytes > 0 && mod(bytes, 512) ~= 0
        return
    end
    if ~ends_with(name, header)
        delete_file(name);
        error('MPI:writeFailed', ...
              'Cannot write a message to %s: the disk is full. Free space, or set FILEMPI_DIR to another folder.', ...
              name);
    end
end

function whole = ends_with(name, header)
    try
        [~, found] = read_message(name);
        whole = isequaln(found, header);
    catch
        whole = false;
    end
end
