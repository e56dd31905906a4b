function case_broadcast_small_and_large(m)
    for root = 0:m.size - 1
        small = m.bcast(root, 1, root + 0.5);
        assert(small == root + 0.5);
        [large, text] = m.bcast(root, 2, root * ones(400), 'with');
        assert(isequal(large, root * ones(400)) && strcmp(text, 'with'));
    end
end
