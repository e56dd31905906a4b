function case_wildcard_irecv(m)
    if m.rank == 0
        request = m.irecv('*', '*');
        m.barrier();
        value = m.wait(request);
        assert(strcmp(value, 'hello'));
    else
        m.barrier();
        if m.rank == 1
            m.send(0, 77, 'hello');
        end
    end
end
