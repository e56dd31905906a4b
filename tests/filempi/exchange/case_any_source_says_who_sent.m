function case_any_source_says_who_sent(m)
    if m.rank == 0
        seen = zeros(1, m.size - 1);
        for k = 1:m.size - 1
            value = m.recv('*', 3);
            [source, tag] = m.status();
            assert(value == 100 * source && tag == 3);
            seen(source) = 1;
        end
        assert(all(seen));
    else
        m.send(0, 3, 100 * m.rank);
    end
end
