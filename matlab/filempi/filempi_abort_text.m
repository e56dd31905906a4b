function text = filempi_abort_text()
    % Who aborted the job.

    global FILEMPI
    text = strtrim(filempi_text([FILEMPI.folder, '/abort']));
    if isempty(text)
        text = 'The job was aborted.';
    end
end
