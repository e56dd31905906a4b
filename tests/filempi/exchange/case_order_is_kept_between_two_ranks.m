function case_order_is_kept_between_two_ranks(m)
    if m.rank == 0
        for k = 1:300
            m.send(1, 2, k);
        end
    elseif m.rank == 1
        for k = 1:300
            assert(m.recv(0, 2) == k);
        end
    end
end
