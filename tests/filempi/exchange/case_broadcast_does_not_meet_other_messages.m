function case_broadcast_does_not_meet_other_messages(m)
    if m.rank == 0
        m.send(1, 1, 'private');
    end
    public = m.bcast(0, 2, 'public');
    assert(strcmp(public, 'public'));
    if m.rank == 1
        assert(strcmp(m.recv(0, 1), 'private'));
    end
end
