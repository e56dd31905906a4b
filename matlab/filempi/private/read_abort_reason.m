function text = read_abort_reason()
    % Who aborted the job.

    global FILEMPI
    text = strtrim(read_text([FILEMPI.folder, '/abort']));
    if isempty(text)
        text = 'The job was aborted.';
    end
end
