function case_probe_lists_what_waits(m)
    if m.rank == 0
        m.send(1, 31, 1);
        m.send(1, 32, ones(200));
        m.barrier();
    else
        m.barrier();
    end
    if m.rank == 1
        [ranks, tags] = m.probe('*', '*');
        assert(isequal(ranks(:), [0; 0]) && isequal(tags(:), [31; 32]));
        [ranks, tags] = m.probe(0, 32);
        assert(isequal(ranks, 0) && isequal(tags, 32));
        assert(isempty(m.probe(0, 33)));
        assert(isequal(m.recv(0, 32), ones(200)));
        assert(m.recv(0, 31) == 1);
        assert(isempty(m.probe('*', '*')));
    end
end
