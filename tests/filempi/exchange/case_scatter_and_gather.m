function case_scatter_and_gather(m)
    values = arrayfun(@(k) k * ones(1, k), 1:m.size, 'UniformOutput', false);
    mine = m.scatter(0, 1, values);
    assert(isequal(mine, (m.rank + 1) * ones(1, m.rank + 1)));
    back = m.gather(m.size - 1, 2, mine);
    if m.rank == m.size - 1
        assert(isequal(back, values));
    else
        assert(isempty(back));
    end
end
