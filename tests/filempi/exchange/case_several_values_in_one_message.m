function case_several_values_in_one_message(m)
    if m.rank == 0
        m.send(1, 1, 'text', [1 2; 3 4], {true});
    elseif m.rank == 1
        [a, b, c] = m.recv(0, 1);
        assert(strcmp(a, 'text') && isequal(b, [1 2; 3 4]) && isequal(c, {true}));
    end
end
