function filempi_disconnect()
    % Close the streams of this rank and forget the job. Never raises.

    global FILEMPI
    if isempty(FILEMPI)
        return
    end
    filempi_sync();
    for fid = [FILEMPI.writer(FILEMPI.writer > 0), FILEMPI.reader(FILEMPI.reader > 0)]
        fclose(fid);
    end
    FILEMPI = [];
    setenv('FILEMPI_PROCESS', '');
end
