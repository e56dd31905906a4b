function case_posted_receives_match_in_order(m)
    if m.rank == 1
        first = m.irecv(0, 5);
        second = m.irecv(0, 5);
        m.barrier();
        assert(m.recv(0, 5) == 3);
        assert(m.wait(second) == 2);
        assert(m.wait(first) == 1);
    else
        m.barrier();
        if m.rank == 0
            for k = 1:3
                m.send(1, 5, k);
            end
        end
    end
end
