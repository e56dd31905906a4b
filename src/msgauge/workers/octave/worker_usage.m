function text = worker_usage(rank)
    % The keys of series=usage: what this rank has used since it began.

    used = getrusage();
    text = sprintf('rank=%d user_ns=%.0f system_ns=%.0f voluntary=%d involuntary=%d peak_bytes=%.0f', rank, ...
                   used.utime.sec * 1e9 + used.utime.usec * 1e3, used.stime.sec * 1e9 + used.stime.usec * 1e3, ...
                   used.nvcsw, used.nivcsw, used.maxrss * 1024);
end
