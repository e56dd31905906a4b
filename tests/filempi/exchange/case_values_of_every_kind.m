function case_values_of_every_kind(m)
    values = every_kind_of_value();
    for k = 1:numel(values)
        if m.rank == 0
            m.send(1, k, values{k});
        elseif m.rank == 1
            got = m.recv(0, k);
            assert(same_value(got, values{k}), 'value %d (%s) came as %s', k, class(values{k}), class(got));
        end
    end
end
