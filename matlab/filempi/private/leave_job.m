function leave_job()
    % Close the streams of this rank and forget the job. Never raises.

    global FILEMPI
    if isempty(FILEMPI)
        return
    end
    sync_counters();
    for fid = [FILEMPI.writer(FILEMPI.writer > 0), FILEMPI.reader(FILEMPI.reader > 0)]
        fclose(fid);
    end
    if ~isempty(strfind(path(), no_display_folder())) %#ok<STREMP>
        close('all'); % the figures that were kept
        rmpath(no_display_folder());
    end
    FILEMPI = [];
    setenv('FILEMPI_PROCESS', '');
end
