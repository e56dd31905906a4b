function case_barrier_separates(m)
    for k = 1:5
        if m.rank == m.size - 1
            pause(0.005);
            m.send(0, 6, k);
        end
        m.barrier();
        if m.rank == 0
            assert(numel(m.probe(m.size - 1, 6)) == 1);
            assert(m.recv(m.size - 1, 6) == k);
        end
        m.barrier(); % else the next one may be there before this one is looked for
    end
end
