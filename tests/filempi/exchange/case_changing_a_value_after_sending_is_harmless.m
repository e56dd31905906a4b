function case_changing_a_value_after_sending_is_harmless(m)
    if m.rank == 0
        value = ones(1, 50000);
        m.send(1, 1, value);
        value(:) = 2;
        m.barrier();
        assert(all(value == 2));
    else
        m.barrier();
        if m.rank == 1
            assert(all(m.recv(0, 1) == 1));
        end
    end
end
