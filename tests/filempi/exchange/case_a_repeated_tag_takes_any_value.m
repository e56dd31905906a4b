function case_a_repeated_tag_takes_any_value(m)
    values = {1, 2, (1:5).', 3, 'text', 4, true, 5, int8(6), 7, 1i, 8, [], 9, sparse(4), 10, {}, 11};
    for k = 1:numel(values)
        if m.rank == 0
            m.send(1, 3, values{k});
            assert(m.recv(1, 4) == k);
        elseif m.rank == 1
            assert(same_value(m.recv(0, 3), values{k}));
            m.send(0, 4, k);
        end
    end
    if m.rank == 0
        refused = false;
        try
            m.send(1, [3, 3], 1);
        catch problem
            refused = strcmp(problem.identifier, 'MPI:badTag');
        end
        assert(refused);
    end
end
