function case_a_rank_sends_to_itself(m)
    value = {m.rank, 'self'};
    m.send(m.rank, 7, value, 2);
    [a, b] = m.recv(m.rank, 7);
    assert(isequal(a, value) && b == 2);
end
