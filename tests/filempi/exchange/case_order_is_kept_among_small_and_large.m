function case_order_is_kept_among_small_and_large(m)
    sizes = [1 200000 3 1 70000 2];
    if m.rank == 0
        for k = 1:numel(sizes)
            m.send(1, 2, k * ones(1, sizes(k)));
        end
    elseif m.rank == 1
        for k = 1:numel(sizes)
            assert(isequal(m.recv(0, 2), k * ones(1, sizes(k))));
        end
    end
end
