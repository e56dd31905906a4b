function case_alltoall(m)
    mine = arrayfun(@(to) [m.rank, to], 0:m.size - 1, 'UniformOutput', false);
    got = m.alltoall(1, mine);
    for from = 0:m.size - 1
        assert(isequal(got{from + 1}, [from, m.rank]));
    end
end
