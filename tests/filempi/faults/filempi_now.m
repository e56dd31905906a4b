function now_s = filempi_now()
    % The clock jumps by a million seconds, forth and back.

    persistent start sign
    if isempty(start)
        start = tic();
        sign = 1;
    end
    now_s = toc(start);
    if fault_strikes('clock')
        sign = -sign;
        now_s = now_s + sign * 1e6;
    end
end
