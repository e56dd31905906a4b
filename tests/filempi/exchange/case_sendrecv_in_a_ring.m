function case_sendrecv_in_a_ring(m)
    right = mod(m.rank + 1, m.size);
    left = mod(m.rank - 1, m.size);
    [a, b] = m.sendrecv(right, 2, left, 2, m.rank, rand(300));
    assert(a == left && isequal(size(b), [300 300]));
end
