function case_tags_are_matched_out_of_order(m)
    if m.rank == 0
        m.send(1, 10, 'ten');
        m.send(1, 11, 'eleven');
        m.send(1, 12, zeros(300));
    elseif m.rank == 1
        assert(isequal(m.recv(0, 12), zeros(300)));
        assert(strcmp(m.recv(0, 11), 'eleven'));
        assert(strcmp(m.recv(0, 10), 'ten'));
    end
end
