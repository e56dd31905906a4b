function [pace, kept] = worker_pace(pace, count, late, good)
    % The appointments of rounds (period_ns, slack_ns, agreed, all_late) after an order of count rounds of which late were;
    % good: rounds in time so far. kept: false when all begins anew behind barriers. As native/sampling.hpp.

    pace.all_late = (late >= count) * (pace.all_late + 1);
    kept = ~(pace.agreed && pace.all_late >= 4 && good < 20);
    if ~kept
        pace.agreed = false;
    elseif 20 * late > count
        pace.period_ns = pace.period_ns + floor(pace.period_ns / 2);
        pace.slack_ns = min(2 * pace.slack_ns, 20e6);
    end
end
