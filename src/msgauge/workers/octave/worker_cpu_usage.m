function spent = worker_cpu_usage()
    % What this process has used so far: processor time in ns, voluntary and involuntary context switches.

    used = getrusage();
    spent = [(used.utime.sec + used.stime.sec) * 1e9 + (used.utime.usec + used.stime.usec) * 1e3, used.nvcsw, used.nivcsw];
end
