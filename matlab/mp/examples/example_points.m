function picture = example_points(seeds, count)
    % The points of example_hits of the seeds 1 to seeds as a picture of 240 x 240: 0 in the circle, 0.6 outside, else 1.

    picture = ones(240);
    for seed = 1:seeds
        [~, x, y] = example_hits(seed, count);
        places = sub2ind([240, 240], 240 - floor(240 * y), 1 + floor(240 * x));
        picture(places) = 0.6 * (x.^2 + y.^2 >= 1);
    end
end
