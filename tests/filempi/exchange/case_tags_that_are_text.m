function case_tags_that_are_text(m)
    values = {1, 'text', ones(100), {1, 'a'}, int8(3), sparse(4)};
    if m.rank == 0
        for k = 1:numel(values)
            m.send(1, sprintf('tag-%d', k), values{k});
            m.isend(1, 'a', values{k});
        end
        m.send(0, 'me', 5);
        assert(m.recv(0, 'me') == 5);
    elseif m.rank == 1
        posted = m.irecv(0, 'tag-6');
        for k = 5:-1:1
            assert(same_value(m.recv(0, sprintf('tag-%d', k)), values{k}));
        end
        assert(same_value(m.wait(posted), values{6}));
        for k = 1:numel(values)
            assert(same_value(m.recv('*', 'a'), values{k}));
        end
        [source, tag] = m.status();
        assert(source == 0 && strcmp(tag, 'a'));
    end
    all_values = m.allgather('together', m.rank);
    assert(isequal(all_values, num2cell(0:m.size - 1)));
    m.barrier();
end
