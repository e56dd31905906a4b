function seconds = toc(started)
    % The clock jumps by a million seconds, forth and back.

    persistent sign
    if isempty(sign)
        sign = 1;
    end
    seconds = builtin('toc', started);
    if fault_strikes('clock')
        sign = -sign;
        seconds = seconds + sign * 1e6;
    end
end
