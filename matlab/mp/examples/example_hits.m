function [inside, x, y] = example_hits(seed, count)
    % How many of count points in the unit square lie in the quarter circle, and where the points are. They follow from the
    % seed alone: a hundred linear congruential generators side by side, the same in MATLAB and Octave.

    state = mod((seed * 100 + (0:99).') * 69069 + 1, 2^32);
    draws = zeros(100, 2 * ceil(count / 100));
    for k = 1:size(draws, 2)
        state = mod(state * 1664525 + 1013904223, 2^32);
        draws(:, k) = state / 2^32;
    end
    x = reshape(draws(:, 1:2:end), 1, []);
    y = reshape(draws(:, 2:2:end), 1, []);
    x = x(1:count);
    y = y(1:count);
    inside = sum(x.^2 + y.^2 < 1);
end
