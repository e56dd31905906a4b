function case_tags_change_from_message_to_message(m)
    % Scalars, matrices and cells that hold one of them, each with another tag than the one before, past the end of a
    % segment of a stream; between them what goes another way.

    if m.rank > 1
        return
    end
    other = 1 - m.rank;
    for k = 1:240
        sent = value_of(mod(k, 10), k);
        m.send(other, mod(k, 7), sent);
        if mod(k, 3) == 0
            m.send(other, 100, k);
        end
        got = m.recv(other, mod(k, 7));
        assert(same_value(got, sent));
        if mod(k, 3) == 0
            assert(m.recv(other, 100) == k);
        end
    end
end

function value = value_of(kind, k)
    values = {k, {k}, (1:20 * k) * pi, {(1:15 * k).' + k}, {}, {zeros(0, 3)}, sprintf('t%d', k), {{k}}, k + 1i, {Inf}};
    value = values{kind + 1};
end
