function text = filempi_status_text(status)
    % An exit status in words.

    if isnan(status)
        text = 'exit status unknown';
    elseif status > 128
        text = sprintf('killed by signal %d', status - 128);
    else
        text = sprintf('exit status %d', status);
    end
end
