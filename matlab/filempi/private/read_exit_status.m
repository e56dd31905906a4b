function status = read_exit_status(rank)
    % [] while a rank runs; its exit status when it has ended; NaN when that is not known.

    global FILEMPI
    status = [];
    name = sprintf('%s/exit.%d', FILEMPI.folder, rank);
    if ~control_file_exists(name)
        return
    end
    status = sscanf(read_text(name), '%d', 1);
    if isempty(status)
        status = NaN;
    end
end
