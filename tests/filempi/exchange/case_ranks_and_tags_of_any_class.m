function case_ranks_and_tags_of_any_class(m)
    kinds = {@double, @single, @int8, @uint8, @int32, @uint32, @int64, @sparse};
    for k = 1:numel(kinds)
        as = kinds{k};
        tag = as(127);
        for value = {3.7, 4.7, 5.7, 'text', 1:3, ones(100) / 3, ones(100) / 7}
            if m.rank == 0
                m.send(as(1), tag, value{1});
                m.isend(as(1), tag, value{1});
            elseif m.rank == 1
                assert(same_value(m.recv(as(0), tag), value{1}));
                assert(same_value(m.wait(m.irecv(as(0), tag)), value{1}));
            end
            got = m.bcast(as(0), tag, value{1});
            assert(same_value(got, value{1}));
        end
        all_values = m.gather(as(0), tag, m.rank + 0.5);
        assert(m.rank > 0 || isequal([all_values{:}], (0:m.size - 1) + 0.5));
        assert(m.allreduce(tag, 1.5, 'sum') == 1.5 * m.size);
    end
end
