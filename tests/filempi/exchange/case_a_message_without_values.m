function case_a_message_without_values(m)
    if m.rank == 0
        m.send(1, 8);
        m.send(1, 9, 1);
    elseif m.rank == 1
        m.recv(0, 8);
        assert(m.recv(0, 9) == 1);
    end
end
