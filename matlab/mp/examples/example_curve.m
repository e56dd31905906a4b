function example_curve(x, y)
    % Draw a curve through points as a plain picture (no axes, no graphics window) to the file MP_PICTURE names.

    picture = ones(200, 320);
    across = linspace(min(x), max(x), 320);
    heights = interp1(x, y, across);
    rows = 190 - round(180 * (heights - min(y)) / max(eps, max(y) - min(y)));
    for column = 1:320
        low = min(rows(max(1, column - 1)), rows(column));
        high = max(rows(max(1, column - 1)), rows(column));
        picture(low:high, column) = 0;
    end
    example_picture(picture);
end
