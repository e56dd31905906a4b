function precision = worker_precision(samples)
    % Half the width of the 95 % order-statistics interval of the median, as a part of the median; Inf below 6 samples.
    % 0 where all samples are equal: simulated time that stands still.

    count = numel(samples);
    precision = Inf;
    ordered = sort(samples(:));
    if count >= 6 && ordered(1) == ordered(count)
        precision = 0;
    elseif count >= 6 && ordered(floor(count / 2) + 1) > 0
        reach = 0.98 * sqrt(count);
        low = max(0, floor(0.5 * count - reach));
        high = min(count - 1, ceil(0.5 * count + reach));
        precision = 0.5 * (ordered(high + 1) - ordered(low + 1)) / ordered(floor(count / 2) + 1);
    end
end
