function worker_frame(file, cell_id, header, values)
    % Append one frame (header line, then int64 values) and flush it; nothing on ranks that hold no file (file -1).

    if file < 0
        return
    end
    fprintf(file, 'cell=%d %s count=%d\n', cell_id, header, numel(values));
    fwrite(file, int64(round(values)), 'int64');
    fflush(file);
end
