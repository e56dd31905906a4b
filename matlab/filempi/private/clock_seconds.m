function now_s = clock_seconds()
    % Primitive: seconds on this machine's clock. Never compared between machines.

    persistent start
    if isempty(start)
        start = tic();
    end
    now_s = toc(start);
end
