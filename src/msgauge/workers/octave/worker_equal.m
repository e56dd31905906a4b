function same = worker_equal(got, expected)
    % Is what came what was sent, in class and every element?

    same = strcmp(class(got), class(expected)) && isequal(got, expected);
end
