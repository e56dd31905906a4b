function write_text(name, text)
    % Write a small text file under a temporary name and rename it. Raises MPI:writeFailed.

    temporary = [name, '.t'];
    [fid, message] = fopen(temporary, 'w');
    if fid < 0
        error('MPI:writeFailed', 'Cannot write %s: %s.', name, message);
    end
    fwrite(fid, text, 'uint8');
    fclose(fid);
    if file_size(temporary) < numel(text)
        delete_file(temporary);
        error('MPI:writeFailed', 'Cannot write %s: the disk is full. Free space, or set FILEMPI_DIR.', name);
    end
    rename_file(temporary, name);
end
