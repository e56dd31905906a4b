function dropped = worker_transient(samples)
    % How many samples at the beginning are warm-up: MSER-5 (the truncation that makes the standard error of the mean of
    % the rest, in groups of five, smallest), at most half. Source: White 1997, An effective truncation heuristic.

    groups = floor(numel(samples) / 5);
    dropped = 0;
    if groups < 4
        return
    end
    means = mean(reshape(samples(1:5 * groups), 5, groups), 1);
    best = Inf;
    for cut = 0:floor(groups / 2)
        rest = means(cut + 1:end);
        score = sum((rest - mean(rest)).^2) / numel(rest)^2;
        if score < best
            best = score;
            dropped = 5 * cut;
        end
    end
end
