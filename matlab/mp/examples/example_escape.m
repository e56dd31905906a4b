function steps = example_escape(xs, ys, columns, most)
    % After how many steps (at most most) z -> z^2 + c leaves the circle of radius 2, for c on the given columns of a grid.
    % steps: numel(ys) x numel(columns), uint8. Points that have left are taken out, so time goes with the work.

    steps = zeros(numel(ys), numel(columns), 'uint8');
    for place = 1:numel(columns)
        c = xs(columns(place)) + 1i * ys(:);
        z = zeros(size(c));
        alive = (1:numel(c)).';
        column = repmat(uint8(most), numel(c), 1);
        for step = 1:most
            z = z .* z + c;
            gone = real(z).^2 + imag(z).^2 > 4;
            if any(gone)
                column(alive(gone)) = step;
                z = z(~gone);
                c = c(~gone);
                alive = alive(~gone);
            end
        end
        steps(:, place) = column;
    end
end
