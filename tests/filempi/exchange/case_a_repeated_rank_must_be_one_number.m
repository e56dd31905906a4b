function case_a_repeated_rank_must_be_one_number(m)
    % After a message to a rank, an array of that rank (also [0 0]) is refused, and nothing was sent or taken by it.
    other = mod(m.rank + 1, m.size);
    from = mod(m.rank - 1, m.size);
    m.send(other, 6, 1);
    m.send(other, 6, 2);
    assert(m.recv(from, 6) == 1);
    said = {'', '', ''};
    tries = {@() m.send([other, other], 6, 9), @() m.recv([from, from], 6), @() m.recv(from, [6, 6])};
    for k = 1:3
        try
            tries{k}();
        catch problem
            said{k} = problem.identifier;
        end
    end
    assert(isequal(said, {'MPI:badRank', 'MPI:badRank', 'MPI:badTag'}));
    assert(m.recv(from, 6) == 2);
end
