function case_same_tag_twice_does_not_overwrite(m)
    if m.rank == 0
        m.send(1, 4, 'first');
        m.send(1, 4, 'second');
        m.barrier();
    else
        m.barrier();
        if m.rank == 1
            assert(strcmp(m.recv(0, 4), 'first'));
            assert(strcmp(m.recv(0, 4), 'second'));
        end
    end
end
