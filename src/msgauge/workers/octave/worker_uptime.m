function seconds = worker_uptime()
    % Seconds since the machine started, in steps of 10 ms: the one clock here that nobody can set.

    seconds = sscanf(filempi_text('/proc/uptime'), '%f', 1);
    if isempty(seconds)
        seconds = double(tic()) / 1e6;
    end
end
