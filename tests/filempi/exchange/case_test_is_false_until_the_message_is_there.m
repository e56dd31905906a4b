function case_test_is_false_until_the_message_is_there(m)
    if m.rank == 1
        request = m.irecv(0, 5);
        assert(~m.test(request));
        m.barrier();
        m.barrier();
        [done, value] = m.test(request);
        assert(done && strcmp(value, 'now'));
    else
        m.barrier();
        if m.rank == 0
            request = m.isend(1, 5, 'now');
            assert(m.test(request));
        end
        m.barrier();
    end
end
