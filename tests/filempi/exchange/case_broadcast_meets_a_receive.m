function case_broadcast_meets_a_receive(m)
    % The source alone calls it, small and large, between messages of the same tag; the others receive.
    for large = {1:3, rand(200), {'a', magic(90)}}
        if m.rank == 0
            m.send(1, 1, 'before');
            m.bcast(0, 1, large{1});
            m.send(1, 1, 'after');
        elseif m.rank == 1
            assert(strcmp(m.recv(0, 1), 'before'));
            assert(size(m.recv(0, 1), 1) > 0);
            assert(strcmp(m.recv(0, 1), 'after'));
        else
            assert(size(m.recv(0, 1), 1) > 0);
        end
    end
end
