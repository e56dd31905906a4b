function status = filempi_exit_status(rank)
    % [] while a rank runs; its exit status when it has ended; NaN when that is not known.

    global FILEMPI
    status = [];
    name = sprintf('%s/exit.%d', FILEMPI.folder, rank);
    if ~filempi_exists_here(name)
        return
    end
    status = sscanf(filempi_text(name), '%d', 1);
    if isempty(status)
        status = NaN;
    end
end
