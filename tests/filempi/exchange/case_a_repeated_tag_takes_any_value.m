function case_a_repeated_tag_takes_any_value(m)
    values = {1, 2, (1:5).', 3, 'text', 4, true, 5, int8(6), 7, 1i, 8, [], 9, sparse(4), 10, {}, 11, ...
              complex(single(1.5), 2), 12, single([1, 2]), 13, complex(single(0), 0), 14, sparse(0, 0), 15, single(3), ...
              16, zeros(0, 3), 17, intmax('int64'), 18, complex(2, 0), 19, eye(3), 20, diag(5), 21};
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
