function case_fewer_outputs_than_values(m)
    if m.rank == 0
        m.send(1, 1, 11, 12, 13);
    elseif m.rank == 1
        first = m.recv(0, 1);
        assert(first == 11);
    end
end
