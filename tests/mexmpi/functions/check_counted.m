function check_counted(x, count, name)
    % x must be the row 1:count; compared in blocks, for memory is short here.

    assert(isequal(size(x), [1, count]));
    for first = 1:1e7:count
        last = min(first + 1e7 - 1, count);
        assert(isequal(x(first:last), first:last), '%s: elements behind %d', name, first);
    end
    disp(['as sent by ', name]);
end
