function moment = worker_uptime()
    % This moment on two clocks: seconds since the machine started, in steps of 10 ms, the one clock here that nobody can
    % set; and tic before and after that was read, in us.

    moment.before = double(tic());
    moment.uptime_s = sscanf(worker_text('/proc/uptime'), '%f', 1);
    moment.after = double(tic());
end
