function case_reductions(m)
    values = [m.rank, 1, -m.rank];
    n = m.size;
    got = m.reduce(n - 1, 1, values, 'sum');
    if m.rank == n - 1
        assert(isequal(got, [n * (n - 1) / 2, n, -n * (n - 1) / 2]));
    end
    assert(isequal(m.allreduce(2, values, 'max'), [n - 1, 1, 0]));
    assert(isequal(m.allreduce(2, values, 'min'), [0, 1, 1 - n]));
    assert(m.allreduce(2, m.rank + 1, 'prod') == factorial(n));
end
