function case_any_tag_takes_the_first(m)
    if m.rank == 0
        m.send(1, 21, 'a');
        m.send(1, 20, 'b');
    elseif m.rank == 1
        assert(strcmp(m.recv(0, '*'), 'a'));
        [source, tag] = m.status();
        assert(source == 0 && tag == 21);
        assert(strcmp(m.recv(0, '*'), 'b'));
    end
end
