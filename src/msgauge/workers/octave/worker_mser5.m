function [dropped, stationary] = worker_mser5(samples)
    % How many samples at the beginning are warm-up, and whether it ended in the first half: MSER-5, the cut that makes the
    % standard error of the mean of the rest, in groups of five, smallest. Samples are first drawn in to three
    % interquartile ranges around the quartiles, so that one interruption does not decide; as in the native worker.
    % Source: White 1997, An effective truncation heuristic for bias reduction in simulation output.

    count = numel(samples);
    groups = floor(count / 5);
    dropped = 0;
    stationary = count < 5;
    if groups < 4
        return
    end
    ordered = sort(samples(:));
    lower = ordered(floor(count / 4) + 1);
    upper = ordered(floor(3 * count / 4) + 1);
    drawn = min(max(samples(:), lower - 3 * (upper - lower)), upper + 3 * (upper - lower)) - ordered(ceil(count / 2));
    means = flipud(mean(reshape(drawn(1:5 * groups), 5, groups), 1).');
    kept = (1:groups).';
    spread = max(0, cumsum(means.^2) - cumsum(means).^2 ./ kept) ./ kept.^2;
    left = groups - kept;
    latest = floor(groups / 2);
    inside = find(left <= latest);
    best = min(spread(inside));
    cut = min(left(inside(spread(inside) <= best)));
    beyond = spread(left > latest & kept >= max(10, floor(groups / 10)));
    dropped = 5 * cut;
    stationary = cut < latest && (isempty(beyond) || best <= min(beyond));
end
