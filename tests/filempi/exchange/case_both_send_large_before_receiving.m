function case_both_send_large_before_receiving(m)
    if m.rank < 2
        m.send(1 - m.rank, 1, m.rank * ones(1, 500000));
        got = m.recv(1 - m.rank, 1);
        assert(all(got == 1 - m.rank) && numel(got) == 500000);
    end
end
