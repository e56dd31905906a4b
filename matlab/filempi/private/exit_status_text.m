function text = exit_status_text(status, host)
    % An exit status in words. host: where the rank ran, '' on this machine; 255 is ssh's own there.

    if isnan(status)
        text = 'exit status unknown';
    elseif status == 255 && ~isempty(host)
        text = sprintf('ssh to %s failed with exit status 255', host);
    elseif status > 128
        text = sprintf('killed by signal %d', status - 128);
    else
        text = sprintf('exit status %d', status);
    end
end
