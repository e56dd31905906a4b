function inside = example_hits(seed, count)
    % How many of count points in the unit square lie in the quarter circle; the points follow from the seed alone
    % (a linear congruential generator, the same in MATLAB and Octave).

    state = mod(seed * 69069 + 1, 2^32);
    inside = 0;
    block = zeros(1, 2 * count);
    for k = 1:2 * count
        state = mod(state * 1664525 + 1013904223, 2^32);
        block(k) = state / 2^32;
    end
    inside = inside + sum(block(1:2:end).^2 + block(2:2:end).^2 < 1);
end
